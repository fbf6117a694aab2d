#include <sstream>

#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include "torch/tiny_nets.hpp"

namespace stad::testing {
namespace {

using namespace backbone;

std::string graph_error(const std::string& file, const std::string& head = "") {
  const auto graph = read_graph(std::as_bytes(std::span(file)), head);
  return graph ? "" : graph.error().message;
}

at::Tensor run_module(const std::string& file, const at::Tensor& images) {
  std::istringstream stream(file);
  auto module = torch::jit::load(stream);
  module.eval();
  return module.forward({images}).toTensor();
}

TEST(Graph, FindsTheLastLinearLayerAndEveryNormLayer) {
  const auto cnn = open_net(tiny_cnn());
  EXPECT_EQ(cnn->head(), "fc");
  ASSERT_EQ(cnn->norms().size(), 2U);
  EXPECT_EQ(cnn->norms()[0].name, "bn1");
  EXPECT_EQ(cnn->norms()[1].name, "bn2");
  EXPECT_EQ(cnn->count(NormKind::kBatch), 2);
  EXPECT_EQ(cnn->names()[cnn->head_weight()], "fc.weight");
  EXPECT_EQ(open_net(layer_norm_net())->count(NormKind::kLayer), 1);
  EXPECT_EQ(open_net(group_norm_net())->count(NormKind::kGroup), 1);
}

TEST(Graph, TakesTheHeadThatIsNamed) {
  EXPECT_EQ(open_net(layer_norm_net(), "embed")->head(), "embed");
  EXPECT_EQ(graph_error(layer_norm_net(), "classifier"), "has no linear layer classifier; it has embed, fc");
}

TEST(Graph, RunsAsTheModuleDoes) {
  for (const std::string& file : {tiny_cnn(), layer_norm_net(), group_norm_net()}) {
    const auto network = open_net(file);
    const at::Tensor images = to_images(random_pixels(1, 7), kTinyImages);
    const NetworkOutputs outputs = network->run(images, network->weights(), source_statistics());
    EXPECT_TRUE(at::equal(outputs.logits, run_module(file, images)));
    const at::Tensor again = at::linear(outputs.features, network->weights()[network->head_weight()],
                                        network->weights()[network->head_bias()]);
    EXPECT_TRUE(at::equal(outputs.logits, again));
  }
}

TEST(Graph, NamesWhatAModelLacks) {
  EXPECT_NE(graph_error("no model at all").find("is not a TorchScript model that can be loaded"), std::string::npos);
  EXPECT_NE(graph_error(frozen_net()).find("it was frozen (torch.jit.freeze), which folds batch norm away"),
            std::string::npos);
  EXPECT_EQ(graph_error(headless_net()), "has no linear layer, must end in one; its last operation is aten::mean");
  EXPECT_EQ(graph_error(two_argument_net()), "forward takes 2 arguments, must take one: the images");
}

TEST(Graph, ListsTheParametersThatMethodsTrain) {
  const auto cnn = open_net(tiny_cnn());
  EXPECT_EQ(cnn->parameters().size(), 10U);
  EXPECT_EQ(cnn->extractor_parameters().size(), 8U);
  EXPECT_EQ(cnn->norm_parameters().size(), 4U);
  std::vector<std::string> names;
  for (const std::size_t index : cnn->norm_parameters_before_last_block()) names.push_back(cnn->names()[index]);
  EXPECT_EQ(names, (std::vector<std::string>{"bn1.weight", "bn1.bias"}));
}

}  // namespace
}  // namespace stad::testing
