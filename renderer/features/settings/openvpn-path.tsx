import { Button, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import styles from './settings.module.css'

/** Which OpenVPN makes the tunnel. It is saved when the field is left; main refuses what is no OpenVPN. */
export function OpenVpnPath(): ReactNode {
  const { t } = useTranslation()
  const { openvpnPath } = useAppState().settings
  const setSetting = useCommand('setSetting')
  const choose = useCommand('chooseOpenVpn')
  // Undefined: what is saved.
  const [typed, setTyped] = useState<string>()

  async function save(path: string): Promise<void> {
    if (path === openvpnPath && setSetting.error === undefined) {
      setTyped(undefined)
      return
    }
    setTyped(path)
    const { ok } = await setSetting.run({ name: 'openvpnPath', value: path })
    if (ok) setTyped(undefined)
  }

  async function browse(): Promise<void> {
    const result = await choose.run()
    if (result.ok && result.value.path !== undefined) await save(result.value.path)
  }

  const error = setSetting.error ?? choose.error
  return (
    <form
      className={styles.openvpn}
      onSubmit={(event) => {
        event.preventDefault()
        void save((typed ?? openvpnPath).trim())
      }}
    >
      <div className={styles.openvpnRow}>
        <TextInput
          className={styles.openvpnField}
          label={t('settings.openvpnPath.label')}
          description={t('settings.openvpnPath.text')}
          placeholder={t('settings.openvpnPath.placeholder')}
          size="md"
          dir="ltr"
          maxLength={4096}
          spellCheck={false}
          autoComplete="off"
          value={typed ?? openvpnPath}
          error={setSetting.error !== undefined}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
          }}
          onBlur={() => {
            if (typed !== undefined && !setSetting.pending) void save(typed.trim())
          }}
        />
        <Button
          variant="default"
          size="md"
          loading={choose.pending}
          onClick={() => {
            void browse()
          }}
        >
          {t('settings.openvpnPath.browse')}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
    </form>
  )
}
