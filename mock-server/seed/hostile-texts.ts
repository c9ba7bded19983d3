import texts from './texts/hostile-texts.json'

/** A text, or one that is repeated this many times. {half} is half a character, which JSON files can't hold. */
const textOf = (text: string | (string | number)[]) =>
  typeof text === 'string' ? text.replace('{half}', '\ud800') : String(text[0]).repeat(Number(text[1]))

/** Texts that careless clients run, truncate, mix up or can't display; those of organizations have at most 190 characters. */
export const hostileTexts = {
  attachments: texts.attachments.map(textOf),
  organizations: texts.organizations.map(textOf),
  messages: texts.messages.map(textOf),
}
