import type { texts } from './en/texts'

type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many'

/** The same keys with other words; each language has the plural forms that it needs beside `_other`. */
type Texts<T> = {
  readonly [Key in keyof T as Key extends `${string}_${PluralForm}` ? never : Key]: T[Key] extends string
    ? string
    : Texts<T[Key]>
} & {
  readonly [Key in keyof T as Key extends `${infer Name}_other` ? `${Name}_${PluralForm}` : never]?: string
}

/** What a language has to say. Of a text with `{{count}}` there is one for each plural form of the language. */
export type Translation = Texts<typeof texts>

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { readonly translation: typeof texts }
  }
}
