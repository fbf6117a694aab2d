#include "torch/graph.hpp"

#include <functional>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/constant_propagation.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/fuse_linear.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/passes/remove_exceptions.h>
#include <torch/csrc/jit/serialization/import.h>

#include "base/try.hpp"
#include "torch/normaliser.hpp"
#include "torch/tensors.hpp"

namespace stad::backbone {
namespace {

namespace jit = torch::jit;

void visit_nodes(jit::Block* block, const std::function<void(jit::Node*)>& visit) {
  for (auto at = block->nodes().begin(); at != block->nodes().end();) {
    jit::Node* node = *at++;  // before the visit, which may remove the node
    for (jit::Block* inner : node->blocks()) visit_nodes(inner, visit);
    visit(node);
  }
}

void simplify(std::shared_ptr<jit::Graph>& graph) {
  jit::ConstantPropagation(graph);
  jit::EliminateExceptions(graph);  // shape checks, which would keep branches alive
  jit::EliminateDeadCode(graph);
  jit::ConstantPropagation(graph);
  jit::EliminateDeadCode(graph);
}

/// Turns the attributes of a module into arguments and constants of its forward method.
class AttributeLifter {
 public:
  AttributeLifter(const jit::Module& module, NetworkGraph& network) : module_(module), network_(network) {
    for (const auto& parameter : module.named_parameters()) parameters_.insert(parameter.value.unsafeGetTensorImpl());
  }

  void lift() {
    jit::Graph& graph = *network_.function;
    visit_nodes(graph.block(), [&](jit::Node* node) {
      if (node->kind() == c10::prim::GetAttr && !node->output()->type()->cast<c10::ClassType>()) lift(node);
    });
    simplify(network_.function);
  }

 private:
  void lift(jit::Node* node) {
    const std::string path = path_of(node);
    if (path.empty()) return;
    const c10::IValue value = value_at(path);
    jit::WithInsertPoint before(node);
    if (value.isTensor())
      node->output()->replaceAllUsesWith(argument_for(path, value.toTensor()));
    else if (const auto constant = jit::tryInsertConstant(*network_.function, value))
      node->output()->replaceAllUsesWith(*constant);
  }

  /// Path such as "layer1.0.conv1.weight"; empty if the attribute chain does not start at the module.
  std::string path_of(const jit::Node* node) const {
    std::string path = node->s(c10::attr::name);
    for (const jit::Value* owner = node->input(); owner != network_.function->inputs()[0];
         owner = owner->node()->input()) {
      if (owner->node()->kind() != c10::prim::GetAttr) return {};
      path.insert(0, owner->node()->s(c10::attr::name) + ".");
    }
    return path;
  }

  c10::IValue value_at(const std::string& path) const {
    c10::IValue value = module_._ivalue();
    for (std::size_t first = 0, dot = 0; dot != std::string::npos; first = dot + 1) {
      dot = path.find('.', first);
      value = value.toObject()->getAttr(path.substr(first, dot - first));
    }
    return value;
  }

  /// One argument for each tensor, also if several attributes share it.
  jit::Value* argument_for(const std::string& path, const at::Tensor& tensor) {
    auto& argument = arguments_[tensor.unsafeGetTensorImpl()];
    if (argument) return argument;
    argument = network_.function->addInput();
    argument->setType(c10::TensorType::get());
    network_.names.push_back(path);
    network_.weights.push_back(tensor.detach().clone());
    network_.is_parameter.push_back(parameters_.contains(tensor.unsafeGetTensorImpl()));
    return argument;
  }

  const jit::Module& module_;
  NetworkGraph& network_;
  std::set<const void*> parameters_;
  std::map<const void*, jit::Value*> arguments_;
};

/// Index of the first weight among the arguments; before it are the images and the normaliser.
constexpr std::size_t kFirstWeight = 2;

std::size_t weight_index(const NetworkGraph& network, const jit::Value* value) {
  const auto inputs = network.function->inputs();
  for (std::size_t i = kFirstWeight; i < inputs.size(); ++i)
    if (inputs[i] == value) return i - kFirstWeight;
  return kNoWeight;
}

std::string layer_name(const std::string& weight) { return weight.substr(0, weight.rfind('.')); }

/// Derived from the name of the first tensor the layer has.
std::string name_of(const NetworkGraph& network, const NormLayer& norm) {
  for (const std::size_t index : {norm.scale, norm.shift, norm.mean})
    if (index != kNoWeight) return layer_name(network.names[index]);
  return fmt::format("norm {}", network.norms.size());
}

void rewrite_batch_norm(NetworkGraph& network, jit::Node* node, std::int64_t layer) {
  jit::Graph& graph = *network.function;
  jit::WithInsertPoint before(node);
  const auto inputs = node->inputs();  // input, scale, shift, mean, variance, training, momentum, epsilon, cudnn
  jit::Node* ours = graph.insertNode(graph.create(c10::Symbol::fromQualString("stad::batch_norm"),
                                                  {inputs[0], inputs[1], inputs[2], inputs[3], inputs[4],
                                                   graph.inputs()[1], graph.insertConstant(layer), inputs[7]}));
  ours->output()->setType(c10::TensorType::get());
  node->output()->replaceAllUsesWith(ours->output());
  node->destroy();
}

void find_norms(NetworkGraph& network) {
  static const std::map<std::string, NormKind> kinds{{"aten::batch_norm", NormKind::kBatch},
                                                     {"aten::layer_norm", NormKind::kLayer},
                                                     {"aten::group_norm", NormKind::kGroup}};
  visit_nodes(network.function->block(), [&](jit::Node* node) {
    const auto kind = kinds.find(node->kind().toQualString());
    if (kind == kinds.end()) return;
    NormLayer norm;
    norm.kind = kind->second;
    const std::size_t first =
        norm.kind == NormKind::kBatch ? 1 : 2;  // the others take a shape or a number of groups first
    norm.scale = weight_index(network, node->input(first));
    norm.shift = weight_index(network, node->input(first + 1));
    if (norm.kind == NormKind::kBatch) {
      norm.mean = weight_index(network, node->input(3));
      norm.variance = weight_index(network, node->input(4));
      rewrite_batch_norm(network, node, static_cast<std::int64_t>(network.norms.size()));
    }
    norm.name = name_of(network, norm);
    network.norms.push_back(norm);
  });
}

std::string list_names(const std::vector<std::string>& found) {
  return found.empty() ? "it has none" : fmt::format("it has {}", fmt::join(found, ", "));
}

/// The linear layer with the given name, or the last one if the name is empty.
Result<jit::Node*> find_head(const NetworkGraph& network, const std::string& name) {
  jit::Node* found = nullptr;
  std::vector<std::string> names;
  bool constant = false;
  visit_nodes(network.function->block(), [&](jit::Node* node) {
    if (node->kind() != c10::aten::linear) return;
    const std::size_t weight = weight_index(network, node->input(1));
    constant = constant || weight == kNoWeight;
    if (weight == kNoWeight) return;
    names.push_back(layer_name(network.names[weight]));
    if (name.empty() || names.back() == name) found = node;
  });
  if (found && found->owningBlock() != network.function->block())
    return invalid(fmt::format("linear layer {} runs inside a branch or loop, but the head must run unconditionally",
                               names.back()));
  if (found) return found;
  if (constant && names.empty())
    return invalid(
        "its weights are constants: it was frozen (torch.jit.freeze), which folds batch norm away; save the model "
        "before "
        "freezing it");
  if (!name.empty()) return invalid(fmt::format("has no linear layer {}; {}", name, list_names(names)));
  return invalid(fmt::format("has no linear layer, must end in one; its last operation is {}",
                             network.function->outputs()[0]->node()->kind().toQualString()));
}

/// Makes the head's input (the features) and output (the logits) the outputs of the function.
void end_at_head(NetworkGraph& network, jit::Node* head) {
  jit::Graph& graph = *network.function;
  network.head_weight = weight_index(network, head->input(1));
  network.head_bias = weight_index(network, head->input(2));
  network.head = layer_name(network.names[network.head_weight]);
  while (!graph.outputs().empty()) graph.eraseOutput(0);
  graph.registerOutput(head->input(0));
  graph.registerOutput(head->output());
  jit::EliminateDeadCode(network.function);
}

/// Remaining uses of the module are attributes that could not be turned into arguments.
Status check_lifted(const NetworkGraph& network) {
  const jit::Value* self = network.function->inputs()[0];
  if (self->uses().empty()) return {};
  return invalid(
      fmt::format("uses its attributes by {}, which is not supported; attributes must be tensors and numbers",
                  self->uses()[0].user->kind().toQualString()));
}

Result<NetworkGraph> rewrite(jit::Module module, const std::string& head) {
  module.eval();
  module.to(at::kFloat);
  NetworkGraph network;
  network.module = std::make_shared<const jit::Module>(module);
  network.function = module.get_method("forward").graph()->copy();
  jit::Graph& graph = *network.function;
  if (graph.inputs().size() != 2)
    return invalid(fmt::format("forward takes {} arguments, must take one: the images", graph.inputs().size() - 1));
  jit::Inline(graph);
  AttributeLifter(module, network).lift();
  STAD_TRY(check_lifted(network));
  graph.eraseInput(0);
  graph.insertInput(1, "normaliser")->setType(c10::getCustomClassType<NormaliserPointer>());
  jit::FuseLinear(network.function);  // older traces contain a product and a sum instead
  STAD_ASSIGN(jit::Node* const last, find_head(network, head));
  end_at_head(network, last);
  find_norms(network);
  graph.lint();
  return network;
}

}  // namespace

Result<NetworkGraph> read_graph(std::span<const std::byte> file, const std::string& head) {
  try {
    std::istringstream stream(std::string(reinterpret_cast<const char*>(file.data()), file.size()));
    return rewrite(jit::load(stream), head);
  } catch (const std::exception& error) {
    return invalid(fmt::format("is not a TorchScript model that can be loaded: {}", error_message(error)));
  }
}

}  // namespace stad::backbone
