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
import { useAppState, useCommand } from '../../store/context'
import { useServiceName } from '../../store/profile-name'
import { useFetched } from '../../store/queries'
import { useForget } from '../../store/window-store'
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

type Typed = Readonly<Record<Field, string>>

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
  const forget = useForget()
  const { instances } = useAppState()
  const title = t('settings.instance.title', { instance: useServiceName(instanceId) })
  const [typed, setTyped] = useState<Typed>(() => typedFirst(settings))
  const [apiVersion, setApiVersion] = useState(settings.apiVersion ?? '')
  const [roles, setRoles] = useState<readonly ServiceRole[]>(settings.roles)
  const wrong = save.error?.code === 'usage/invalid-argument' ? save.error.details?.argument : undefined
  const isWrong = (name: Field): boolean => wrong === instanceArguments[name]

  async function submit(): Promise<void> {
    const result = await save.run({ instanceId, ...typed, api: String(apiVersion), roles: roles.join(',') })
    if (!result.ok) return
    // The views fetch again: the source or the user's identity may have changed.
    forget(instanceId)
    onDone('saved')
  }

  const field = (name: Field) => ({
    name,
    value: typed[name],
    isWrong: isWrong(name),
    onType: (text: string) => {
      setTyped({ ...typed, [name]: text })
    },
  })
  const { offered } = settings
  const givenName = instances.find(({ id }) => id === instanceId)?.listing?.name ?? instanceId
  const unset = t(offered === undefined ? 'settings.instance.notKnown' : 'settings.instance.notOffered')
  return (
    <div className={styles.box}>
      <CommandForm
        label={title}
        command={save}
        fieldError={fields.some(isWrong)}
        submit={t('settings.instance.save')}
        cancel={{
          label: t('settings.instance.cancel'),
          run() {
            onDone('cancelled')
          },
        }}
        onSubmit={submit}
      >
        <TypedField {...field('name')} placeholder={givenName} />
        <p className={page.quiet}>{t('settings.instance.text')}</p>
        {serviceNames.map((name) => (
          <div key={name}>
            <TypedField {...field(name)} placeholder={offered?.[name] ?? unset} />
          </div>
        ))}
        <TypedField {...field('userId')} placeholder="" />
        <Roles roles={roles} onChoose={setRoles} />
        <TypedField {...field('clientId')} placeholder={settings.builtInClientId} />
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

const fields = ['name', 'clientId', ...serviceNames, 'userId'] as const satisfies readonly Field[]

/** Returns what the fields show before a person types. */
function typedFirst({ name = '', clientId = '', userId = '', services }: InstanceSettings): Typed {
  const { attachments = '', content = '', organizations = '' } = services
  return { name, clientId, attachments, content, organizations, userId }
}

/** A text of an instance's settings. */
function TypedField({
  name,
  value,
  placeholder,
  isWrong,
  onType,
}: {
  readonly name: Field
  readonly value: string
  readonly placeholder: string
  readonly isWrong: boolean
  readonly onType: (text: string) => void
}): ReactNode {
  const { t } = useTranslation()
  const own = name === 'name' || name === 'userId' || name === 'clientId' ? name : undefined
  return (
    <TextField
      label={t(`settings.instance.${name}`)}
      description={own && t(`settings.instance.${own}Text`)}
      dir={name === 'name' ? 'auto' : 'ltr'}
      placeholder={placeholder}
      value={value}
      maxLength={4096}
      verbatim
      error={isWrong ? t(`settings.instance.invalid.${own ?? 'address'}`) : undefined}
      onType={onType}
    />
  )
}

/** The roles of the user, as the services know them. */
function Roles({
  roles,
  onChoose,
}: {
  readonly roles: readonly ServiceRole[]
  readonly onChoose: (roles: readonly ServiceRole[]) => void
}): ReactNode {
  const { t } = useTranslation()
  return (
    <Checkbox.Group
      label={t('settings.instance.roles')}
      value={[...roles]}
      onChange={(chosen) => {
        onChoose(serviceRoles.filter((role) => chosen.includes(role)))
      }}
    >
      <div className={styles.roles}>
        {serviceRoles.map((role) => (
          <Checkbox key={role} value={role} label={t(`settings.instance.role.${role}`)} />
        ))}
      </div>
    </Checkbox.Group>
  )
}
