// The kinds of KServe that deploy/kubernetes uses, with the fields of KServe 0.16. No package of Debian or npm has their
// schemas; parts that KServe takes from Kubernetes have the types of Kubernetes here.
import {IObjectMeta} from "@kubernetes-models/apimachinery/apis/meta/v1/ObjectMeta";
import {IDeploymentStrategy} from "kubernetes-models/apps/v1/DeploymentStrategy";
import {IAffinity} from "kubernetes-models/v1/Affinity";
import {IContainer} from "kubernetes-models/v1/Container";
import {ILocalObjectReference} from "kubernetes-models/v1/LocalObjectReference";
import {IPodSpec} from "kubernetes-models/v1/PodSpec";
import {IToleration} from "kubernetes-models/v1/Toleration";
import {IVolume} from "kubernetes-models/v1/Volume";

type Protocol = "v1" | "v2" | "grpc-v1" | "grpc-v2";

export interface IServingRuntime {
  apiVersion: "serving.kserve.io/v1alpha1";
  kind: "ServingRuntime";
  metadata: IObjectMeta;
  spec: {
    supportedModelFormats: {name: string; version?: string; autoSelect?: boolean; priority?: number}[];
    multiModel?: boolean;
    disabled?: boolean;
    protocolVersions?: Protocol[];
    // Not a whole PodSpec: a runtime has no securityContext of the pod and no grace period.
    containers: IContainer[];
    volumes?: IVolume[];
    nodeSelector?: {[key: string]: string};
    affinity?: IAffinity;
    tolerations?: IToleration[];
    labels?: {[key: string]: string};
    annotations?: {[key: string]: string};
    imagePullSecrets?: ILocalObjectReference[];
  };
}

// KServe adds the container itself, from the runtime and `model`.
type Predictor = Omit<IPodSpec, "containers"> & {
  containers?: IContainer[];
  minReplicas?: number;
  maxReplicas?: number;
  scaleTarget?: number;
  scaleMetric?: "cpu" | "memory" | "concurrency" | "rps";
  containerConcurrency?: number;
  timeout?: number;
  canaryTrafficPercent?: number;
  labels?: {[key: string]: string};
  annotations?: {[key: string]: string};
  deploymentStrategy?: IDeploymentStrategy;
  model?: Partial<IContainer> & {
    modelFormat: {name: string; version?: string};
    runtime?: string;
    protocolVersion?: Protocol;
    storageUri?: string;
  };
};

export interface IInferenceService {
  apiVersion: "serving.kserve.io/v1beta1";
  kind: "InferenceService";
  metadata: IObjectMeta;
  spec: {predictor: Predictor};
}
