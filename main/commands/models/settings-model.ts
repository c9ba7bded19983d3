import { isDeepStrictEqual } from 'node:util'
import { settingsSchema, type SettingName, type Settings } from '../../../contract/settings'
import { serial } from '../../serial'
import { AppLanguage } from './app-language'
import type { Services } from '../../app/services'

interface SettingsModelOptions {
  readonly settings: Pick<Services['settings'], 'managed' | 'all'>
  /** The languages that override the setting, and those of the system (BCP 47, best first). */
  readonly chosenLanguages: readonly string[]
  readonly systemLanguages: readonly string[]
  /** `languageChanged`: the language has changed too. */
  readonly onChange: (languageChanged: boolean) => void
}

/** The settings for the window, and the language that follows from them. */
export class SettingsModel {
  readonly language = new AppLanguage()
  readonly #options: SettingsModelOptions
  #slice: Settings = settingsSchema.parse({})
  /** The settings that the computer's policy sets. It doesn't change while the app runs. */
  #managed: readonly SettingName[] = []
  readonly #inTurn = serial()
  /** How often settings were set. */
  #changes = 0

  constructor(options: SettingsModelOptions) {
    this.#options = options
  }

  get slice(): Settings {
    return this.#slice
  }

  get managed(): SettingName[] {
    return [...this.#managed]
  }

  /** The user's languages (BCP 47, best first). */
  get languages(): readonly string[] {
    const { chosenLanguages, systemLanguages } = this.#options
    const { language } = this.#slice
    return [...chosenLanguages, ...(language === 'system' ? [] : [language]), ...systemLanguages]
  }

  /** Reads the settings again, because the terminal command or the system may have changed them. */
  async read(): Promise<void> {
    const changes = this.#changes
    const { settings: store } = this.#options
    const [managed, settings] = await Promise.all([store.managed(), store.all()])
    this.#managed = managed
    // What was set meanwhile is newer.
    if (this.#changes === changes) await this.#apply(settings)
  }

  /** Applies settings that were set; resolves once the texts of their language are loaded. */
  use(settings: Settings): Promise<void> {
    this.#changes += 1
    return this.#apply(settings)
  }

  #apply(settings: Settings): Promise<void> {
    // Serial, so that older texts never replace newer ones.
    return this.#inTurn(async () => {
      const isUnchanged = isDeepStrictEqual(settings, this.#slice)
      this.#slice = settings
      const languageChanged = await this.language.use(this.languages)
      // Each focus of the window reads them again, mostly without changes.
      if (!isUnchanged || languageChanged) this.#options.onChange(languageChanged)
    })
  }

  /** Resolves when settings and language are applied. */
  settled(): Promise<void> {
    return this.#inTurn(() => undefined)
  }
}
