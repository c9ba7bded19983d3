import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import { Choice } from '../../ui/choice'
import { ErrorNote } from '../../ui/error-note'
import { OpenVpnPath } from './openvpn-path'
import { SettingSwitch, useManaged } from './setting-switch'
import { SettingsSection } from './settings-section'

/** Settings of the connection. */
export function ConnectionSettings(): ReactNode {
  const { t } = useTranslation()
  const { settings, killSwitch } = useAppState()
  const managed = useManaged()('remoteStrategy')
  const setSetting = useCommand('setSetting')
  const refresh = useCommand('refreshKillSwitch')
  const opened = useRef(false)
  useEffect(() => {
    if (opened.current) return
    opened.current = true
    void refresh.run()
  })
  return (
    <SettingsSection name="connection" title={t('settings.connection')}>
      <SettingSwitch name="reconnect" />
      <SettingSwitch
        name="killSwitch"
        missing={
          killSwitch.here === 'available' ? undefined : t(`settings.killSwitch.missing.${killSwitch.here}`)
        }
      />
      <SettingSwitch name="preferTcp" />
      <SettingSwitch name="tunnelProxy" />
      <SettingSwitch name="autoConnect" />
      <Choice
        label={t('settings.remoteStrategy.label')}
        description={managed ?? t('settings.remoteStrategy.text')}
        value={String(settings.remoteStrategy)}
        disabled={managed !== undefined || setSetting.pending}
        onChoose={(value) => void setSetting.run({ name: 'remoteStrategy', value })}
        options={[
          { value: '0', label: t('settings.remoteStrategy.first') },
          { value: '1', label: t('settings.remoteStrategy.random') },
          { value: '2', label: t('settings.remoteStrategy.all') },
        ]}
      />
      {setSetting.error && <ErrorNote error={setSetting.error} />}
      <OpenVpnPath />
    </SettingsSection>
  )
}
