"""A network in front: requests bring images."""

import os
import pathlib
import unittest

import numpy

from service import Service, ServiceTest

DATA = pathlib.Path(__file__).parents[3] / "shared/data/yearbook"


class Images(ServiceTest):
    def setUp(self):
        super().setUp()
        if not DATA.exists():
            self.skipTest(f"{DATA} is absent")
        if os.environ.get("STAD_HAS_TORCH") != "ON":
            self.skipTest("the torch component was not built")

    def test_answers_as_the_embeddings_of_the_same_images_do(self):
        with open(self.path("networks.toml"), "w") as file:
            file.write(f'data = ""\n[[model]]\nname = "images"\nnetwork = "{DATA}/yearbook_cnn_seed0.pt"\nimage = [1, 32, 32]\n'
                       f'method = "stad-vmf"\n[[model]]\nname = "bn"\nnetwork = "{DATA}/yearbook_cnn_seed0.pt"\n'
                       f'image = [1, 32, 32]\nmethod = "bn"\n')
        service = Service("--config", self.path("networks.toml"))
        self.services.append(service)
        recorded = numpy.load(DATA / "yearbook32.npz")
        pixels = next(recorded[name] for name in ("images", "x") if name in recorded)[:64]
        images = (pixels.astype("<f4") / 255).reshape(64, 1, 32, 32)
        tensor = {"name": "images", "shape": [64, 1, 32, 32], "datatype": "FP32", "data": images.ravel().tolist()}
        for model in ("images", "bn"):
            answer = service.ask("POST", f"/v2/models/{model}/infer", {"inputs": [tensor]})
            self.assertEqual(answer["outputs"][0]["shape"], [64])
            self.assertEqual(answer["parameters"]["batch"], 1)
        self.assertEqual(service.ask("GET", "/v2/models/images")["inputs"][0]["shape"], [-1, 1, 32, 32])
        self.refused(400, "takes images [N, 1, 32, 32]", service.infer, "images", numpy.zeros((1, 128)))
        wrong = {**tensor, "shape": [64, 1, 16, 64]}
        self.refused(400, "takes images [N, 1, 32, 32]", service.ask, "POST", "/v2/models/images/infer", {"inputs": [wrong]})
        head = self.serve("--data", "")
        self.refused(400, "takes features, not images", head.ask, "POST", "/v2/models/m/infer", {"inputs": [tensor]})


if __name__ == "__main__":
    unittest.main()
