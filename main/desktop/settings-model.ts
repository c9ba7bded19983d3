import { isDeepStrictEqual } from 'node:util'
import { settingsSchema, type Settings } from '../../contract/settings'
import { serial } from '../serial'
import { AppLanguage } from './app-language'
import type { AppServices } from './app-services'

/** The settings as the window shows them, and the language that they make. */
export class SettingsModel {
  readonly language = new AppLanguage()
  readonly #settings: AppServices['settings']
  readonly #chosenLanguages: readonly string[]
  readonly #systemLanguages: readonly string[]
  readonly #onChange: (hasOtherWords: boolean) => void
  #slice: Settings = settingsSchema.parse({})
  readonly #inTurn = serial()

  constructor(options: {
    readonly settings: AppServices['settings']
    /** The languages to use whatever the setting says, then those of the system (BCP 47, best first). */
    readonly chosenLanguages: readonly string[]
    readonly systemLanguages: readonly string[]
    /** `hasOtherWords`: the language is another one, too. */
    readonly onChange: (hasOtherWords: boolean) => void
  }) {
    const { settings, chosenLanguages, systemLanguages, onChange } = options
    this.#settings = settings
    this.#chosenLanguages = chosenLanguages
    this.#systemLanguages = systemLanguages
    this.#onChange = onChange
  }

  get slice(): Settings {
    return this.#slice
  }

  /** The languages of the person (BCP 47, best first). */
  get languages(): readonly string[] {
    const { language } = this.#slice
    return [...this.#chosenLanguages, ...(language === 'system' ? [] : [language]), ...this.#systemLanguages]
  }

  /** Reads them as they are now: the terminal command, or the system, may have changed them. */
  async read(): Promise<void> {
    await this.use(await this.#settings.all())
  }

  /** Resolves once the texts of their language are there. */
  use(settings: Settings): Promise<void> {
    // One after another, so that older texts never replace newer ones.
    return this.#inTurn(async () => {
      const isAsBefore = isDeepStrictEqual(settings, this.#slice)
      this.#slice = settings
      const { wording } = this.language
      await this.language.use(this.languages)
      const hasOtherWords = this.language.wording !== wording
      // Who comes to the window has them read again, mostly for nothing.
      if (!isAsBefore || hasOtherWords) this.#onChange(hasOtherWords)
    })
  }

  /** Resolves when the settings are in use, and the language with them. */
  settled(): Promise<void> {
    return this.#inTurn(() => undefined)
  }
}
