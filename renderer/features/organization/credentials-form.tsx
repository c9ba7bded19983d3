import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationCredentialsItem } from '../../../contract/organizations'
import { useCommand } from '../../store/context'
import { useFetched, useQueryClient } from '../../store/queries'
import { Choice } from '../../ui/choice'
import { CommandButton } from '../../ui/command-button'
import { CommandForm } from '../../ui/command-form'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import styles from './organization.module.css'
import { useOrganization } from './use-organization'

type Kind = 'bearer' | 'basic'

/** Form for a token, or a user name and password. Main stores them and never returns them. */
export function CredentialsForm({ wants }: { readonly wants: Kind }): ReactNode {
  const { t } = useTranslation()
  const { instanceId, refresh } = useOrganization()
  const client = useQueryClient()
  const [kind, setKind] = useState<Kind>(wants)
  const [user, setUser] = useState('')
  const [secret, setSecret] = useState('')
  const { data: kept } = useFetched('organizationCredentials', { instanceId }, { staleTime: 0 })
  const set = useCommand('setOrganizationCredentials')

  async function save(): Promise<void> {
    const result = await set.run({
      instanceId,
      credential: kind === 'bearer' ? { kind, token: secret } : { kind, user, password: secret },
    })
    if (!result.ok) return
    // The other kind may be typed already.
    setSecret((latest) => (latest === secret ? '' : latest))
    takeAnswer(result.value)
  }

  function takeAnswer(answer: OrganizationCredentialsItem): void {
    client.setQueryData(['organizationCredentials', { instanceId }], answer)
    void refresh()
  }

  return (
    <CommandForm
      title={t('organization.credentials.title')}
      command={set}
      isReady={secret !== '' && (kind === 'bearer' || user !== '')}
      submit={t('organization.credentials.save')}
      buttons={
        (kept?.bearer === true || kept?.basic !== undefined) && (
          <CommandButton command="removeOrganizationCredentials" input={{ instanceId }} onDone={takeAnswer}>
            {t('organization.credentials.forget')}
          </CommandButton>
        )
      }
      onSubmit={save}
    >
      {kept && (
        <p className={page.quiet}>
          {kept.keptIn === 'file'
            ? t('organization.credentials.textFile')
            : t('organization.credentials.text')}
        </p>
      )}
      {kept && <Kept kept={kept} />}
      <Choice
        label={t('organization.credentials.kind')}
        options={[
          { value: 'bearer', label: t('organization.credentials.bearer') },
          { value: 'basic', label: t('organization.credentials.basic') },
        ]}
        value={kind}
        onChoose={(chosen) => {
          setKind(chosen)
          setSecret('')
        }}
      />
      {kind === 'basic' && (
        <TextField
          label={t('organization.credentials.user')}
          value={user}
          maxLength={255}
          verbatim
          onType={setUser}
        />
      )}
      <TextField
        type="password"
        label={
          kind === 'bearer' ? t('organization.credentials.token') : t('organization.credentials.password')
        }
        value={secret}
        maxLength={8192}
        autoComplete="off"
        onType={setSecret}
      />
    </CommandForm>
  )
}

function Kept({
  kept: { bearer, basic, origin },
}: {
  readonly kept: OrganizationCredentialsItem
}): ReactNode {
  const { t } = useTranslation()
  if (origin === undefined) return <p className={page.quiet}>{t('organization.credentials.none')}</p>
  return (
    <div className={styles.kept}>
      <p>{t('organization.credentials.kept', { origin })}</p>
      <ul>
        {bearer && <li>{t('organization.credentials.keptToken')}</li>}
        {basic !== undefined && <li>{t('organization.credentials.keptUser', { user: basic })}</li>}
      </ul>
    </div>
  )
}
