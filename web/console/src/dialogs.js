// Questions. The browser's own dialog keeps the focus inside, and Escape means no.
import {element} from "./elements.js";

// Shows a dialog and gives its form's fields when it was confirmed, else null.
export const ask = ({title, content, confirm, danger = false, cancel = "Cancel"}) => new Promise((resolve) => {
  const no = element("button", {type: "button", click: () => dialog.close()}, cancel);
  const yes = element("button", {type: "submit", class: danger ? "danger" : "primary"}, confirm);
  const form = element("form", {}, element("h2", {}, title), ...content, element("div", {class: "buttons"}, no, yes));
  const dialog = element("dialog", {"aria-label": title}, form);
  let answer = null;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer = Object.fromEntries(new FormData(form));
    dialog.close();
  });
  dialog.addEventListener("close", () => { dialog.remove(); resolve(answer); });
  document.body.append(dialog);
  dialog.showModal();
  // Never on what a hasty Enter must not do.
  (danger ? no : form.querySelector("input:checked, input:not([type=radio])") ?? yes).focus();
});

export const paragraph = (...text) => element("p", {}, ...text);

export const askToken = async (refused) => {
  const words = refused ? "The token was not accepted. Another one?" :
    "The administrator of the service can give you one. It is kept until this tab is closed.";
  const field = element("input", {name: "token", type: "password", required: true, autocomplete: "off"});
  const given = await ask({
    title: "This service asks for a token",
    content: [paragraph(words), element("label", {class: "field"}, "Token", field)],
    confirm: "Continue",
  });
  return given?.token ?? null;
};
