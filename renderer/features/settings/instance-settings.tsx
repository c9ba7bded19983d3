import { Checkbox } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  apiVersions,
  instanceArguments,
  serviceNames,
  serviceRoles,
  type InstanceSettingName,
  type ServiceRole,
} from '../../../contract/choices'
import type { InstanceSettings } from '../../../contract/instance-settings'
import { useAppState, useStartOver, useCommand } from '../../store/context'
import { useServiceName } from '../../store/profile-name'
import { useFetched } from '../../store/queries'
import { Choice } from '../../ui/choice'
import { CommandForm } from '../../ui/command-form'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import styles from './settings.module.css'

/**
 * Form for the addresses of an instance's services and the user's identity. `onDone` is called after saving or
 * cancelling.
 */
export function InstanceSettingsForm({
  instanceId,
  onDone,
}: {
  readonly instanceId: string
  readonly onDone: (how: 'saved' | 'cancelled') => void
}): ReactNode {
  const { t } = useTranslation()
  // The fields start with what is saved now.
  const { data, error } = useFetched('instanceSettings', { instanceId }, { gcTime: 0 })
  if (error) return <ErrorNote error={error.report} />
  if (data === null) return <Loading label={t('settings.instance.loading')} />
  return <Fields instanceId={instanceId} settings={data} onDone={onDone} />
}

type Field = Exclude<InstanceSettingName, 'roles' | 'api'>

function Fields({
  instanceId,
  settings,
  onDone,
}: {
  readonly instanceId: string
  readonly settings: InstanceSettings
  readonly onDone: (how: 'saved' | 'cancelled') => void
}): ReactNode {
  const { t } = useTranslation()
  const save = useCommand('setInstanceSettings')
  const startOver = useStartOver()
  const { instances } = useAppState()
  const shown = useServiceName(instanceId)
  const { services, offered } = settings
  const [typed, setTyped] = useState<Readonly<Record<Field, string>>>({
    name: settings.name ?? '',
    clientId: settings.clientId ?? '',
    attachments: services.attachments ?? '',
    content: services.content ?? '',
    organizations: services.organizations ?? '',
    userId: settings.userId ?? '',
  })
  const [apiVersion, setApiVersion] = useState(settings.apiVersion ?? '')
  const [roles, setRoles] = useState<readonly ServiceRole[]>(settings.roles)
  const wrong = save.error?.code === 'usage/invalid-argument' ? save.error.details?.argument : undefined

  const input = (name: Field, placeholder: string, invalid: string, description?: string): ReactNode => (
    <TextField
      label={t(`settings.instance.${name}`)}
      description={description}
      dir={name === 'name' ? 'auto' : 'ltr'}
      placeholder={placeholder}
      value={typed[name]}
      maxLength={4096}
      verbatim
      error={wrong === instanceArguments[name] ? invalid : undefined}
      onType={(text) => {
        setTyped({ ...typed, [name]: text })
      }}
    />
  )

  async function submit(): Promise<void> {
    const result = await save.run({ instanceId, ...typed, api: String(apiVersion), roles: roles.join(',') })
    if (!result.ok) return
    startOver()
    onDone('saved')
  }

  const given = instances.find(({ id }) => id === instanceId)
  const givenName = given?.listing?.name ?? instanceId
  const unset = t(offered === undefined ? 'settings.instance.notKnown' : 'settings.instance.notOffered')
  const known = Object.keys(typed).some((name) => wrong === instanceArguments[name as Field])
  return (
    <div className={styles.box}>
      <CommandForm
        label={t('settings.instance.title', { instance: shown })}
        command={save}
        fieldError={known}
        submit={t('settings.instance.save')}
        cancel={{
          label: t('settings.instance.cancel'),
          run() {
            onDone('cancelled')
          },
        }}
        onSubmit={submit}
      >
        {input('name', givenName, t('settings.instance.invalid.name'), t('settings.instance.nameText'))}
        <p className={page.quiet}>{t('settings.instance.text')}</p>
        {serviceNames.map((name) => (
          <div key={name}>
            {input(name, offered?.[name] ?? unset, t('settings.instance.invalid.address'))}
          </div>
        ))}
        {input('userId', '', t('settings.instance.invalid.userId'), t('settings.instance.userIdText'))}
        <Checkbox.Group
          label={t('settings.instance.roles')}
          value={[...roles]}
          onChange={(chosen) => {
            setRoles(serviceRoles.filter((role) => chosen.includes(role)))
          }}
        >
          <div className={styles.roles}>
            {serviceRoles.map((role) => (
              <Checkbox key={role} value={role} label={t(`settings.instance.role.${role}`)} />
            ))}
          </div>
        </Checkbox.Group>
        {input(
          'clientId',
          settings.builtInClientId,
          t('settings.instance.invalid.clientId'),
          t('settings.instance.clientIdText'),
        )}
        <Choice
          label={t('settings.instance.apiVersion')}
          options={[
            { value: '' as const, label: t('settings.instance.apiVersionNewest') },
            ...apiVersions.map((value) => ({ value, label: String(value) })),
          ]}
          value={apiVersion}
          onChoose={setApiVersion}
        />
      </CommandForm>
    </div>
  )
}
