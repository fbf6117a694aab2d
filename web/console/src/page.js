// What is chosen and what is known of it.
export const page = {models: [], model: null, stream: "", told: null, events: [], connection: null, charts: []};

export const modelNamed = (name) => page.models.find((model) => model.name === name);
export const mode = () => modelNamed(page.model)?.mode ?? page.told?.mode;
export const chosen = () => ({model: page.model, stream: page.stream, mode: mode(), batches: page.told?.batches ?? 0});
