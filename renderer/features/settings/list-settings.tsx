import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import { CommandForm } from '../../ui/command-form'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import { useManaged } from './setting-switch'
import { SettingsSection } from './settings-section'

/** The address of the lists of organizations and the keys that sign them; saved together. */
export function ListSettings(): ReactNode {
  const { t } = useTranslation()
  const { settings } = useAppState()
  const [typed, setTyped] = useState({ discovery: settings.discovery, discoveryKey: settings.discoveryKey })
  const managed = useManaged()
  const [saved, setSaved] = useState(false)
  const setKey = useCommand('setSetting')
  const setUrl = useCommand('setSetting')
  const pending = setKey.pending || setUrl.pending

  async function submit(): Promise<void> {
    setSaved(false)
    const key =
      managed('discoveryKey') !== undefined ||
      (await setKey.run({ name: 'discoveryKey', value: typed.discoveryKey.trim() })).ok
    const url =
      managed('discovery') !== undefined ||
      (await setUrl.run({ name: 'discovery', value: typed.discovery.trim() })).ok
    setSaved(key && url)
  }

  const input = (name: 'discovery' | 'discoveryKey', label: string, description: string, error?: string) => (
    <TextField
      label={label}
      description={managed(name) ?? description}
      disabled={managed(name) !== undefined}
      dir="ltr"
      value={typed[name]}
      maxLength={2048}
      verbatim
      error={error}
      onType={(text) => {
        setSaved(false)
        setTyped({ ...typed, [name]: text })
      }}
    />
  )
  const isInvalid = ({ error }: typeof setKey): boolean => error?.code === 'settings/invalid-value'

  return (
    <SettingsSection name="lists" title={t('directory.setting.label')}>
      <p className={page.quiet}>{t('directory.setting.text')}</p>
      <CommandForm
        label={t('directory.setting.label')}
        command={{ pending, error: [setUrl, setKey].find((each) => each.error && !isInvalid(each))?.error }}
        submit={
          managed('discovery') === undefined || managed('discoveryKey') === undefined
            ? t('directory.setting.save')
            : undefined
        }
        variant="default"
        buttons={
          <p aria-live="polite" className={page.quiet} hidden={!saved}>
            {saved ? t('directory.setting.saved') : ''}
          </p>
        }
        onSubmit={submit}
      >
        {input(
          'discovery',
          t('directory.setting.url'),
          t('directory.setting.urlText'),
          isInvalid(setUrl) ? t('directory.setting.urlInvalid') : undefined,
        )}
        {input(
          'discoveryKey',
          t('directory.setting.key'),
          t('directory.setting.keyText'),
          isInvalid(setKey) ? t('directory.setting.keyInvalid') : undefined,
        )}
      </CommandForm>
    </SettingsSection>
  )
}
