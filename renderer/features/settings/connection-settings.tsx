import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import { InstallHelper } from './install-helper'
import { OpenVpnPath } from './openvpn-path'
import { SettingChoice, SettingSwitch } from './setting-switch'
import { SettingsSection } from './settings-section'

/** Settings of the connection. */
export function ConnectionSettings(): ReactNode {
  const { t } = useTranslation()
  const { killSwitch } = useAppState()
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
      {killSwitch.here === 'no-helper' && <InstallHelper />}
      <SettingChoice
        name="localNetwork"
        label={t('settings.localNetwork.label')}
        text={t('settings.localNetwork.text')}
        options={[
          { value: 'allow', label: t('settings.localNetwork.allow') },
          { value: 'block', label: t('settings.localNetwork.block') },
        ]}
      />
      <SettingSwitch name="preferTcp" />
      <SettingSwitch name="tunnelProxy" />
      <SettingSwitch name="autoConnect" />
      <SettingChoice
        name="remoteStrategy"
        label={t('settings.remoteStrategy.label')}
        text={t('settings.remoteStrategy.text')}
        options={[
          { value: '0', label: t('settings.remoteStrategy.first') },
          { value: '1', label: t('settings.remoteStrategy.random') },
          { value: '2', label: t('settings.remoteStrategy.all') },
        ]}
      />
      <OpenVpnPath />
    </SettingsSection>
  )
}
