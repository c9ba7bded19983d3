import { Button, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { useManaged } from './setting-switch'
import styles from './settings.module.css'
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
    <TextInput
      label={label}
      description={managed(name) ?? description}
      disabled={managed(name) !== undefined}
      dir="ltr"
      value={typed[name]}
      maxLength={2048}
      autoCapitalize="off"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      error={error}
      onChange={(event) => {
        setSaved(false)
        setTyped({ ...typed, [name]: event.currentTarget.value })
      }}
    />
  )
  const isInvalid = ({ error }: typeof setKey): boolean => error?.code === 'settings/invalid-value'

  return (
    <SettingsSection name="lists" title={t('directory.setting.label')}>
      <p className={page.quiet}>{t('directory.setting.text')}</p>
      <form
        aria-label={t('directory.setting.label')}
        className={styles.openvpn}
        onSubmit={(event) => {
          event.preventDefault()
          if (!pending) void submit()
        }}
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
        {[setUrl, setKey].map(
          (each, index) => each.error && !isInvalid(each) && <ErrorNote key={index} error={each.error} />,
        )}
        {(managed('discovery') === undefined || managed('discoveryKey') === undefined) && (
          <div className={styles.buttons}>
            <Button type="submit" variant="default" loading={pending}>
              {t('directory.setting.save')}
            </Button>
          </div>
        )}
        <p aria-live="polite" className={page.quiet} hidden={!saved}>
          {saved ? t('directory.setting.saved') : ''}
        </p>
      </form>
    </SettingsSection>
  )
}
