import { Button } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AsOf } from '../../ui/as-of'
import { BrowserView } from '../../ui/browser-view'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import { ServiceView } from '../../ui/service-view'
import { useRetryWhileCached } from '../../ui/use-retry-while-cached'
import { About } from './about'
import { AddUser } from './add-user'
import { ChooseOrganization } from './choose-organization'
import { CreateOrganization } from './create-organization'
import { CredentialsForm } from './credentials-form'
import { DeleteOrganization } from './delete-organization'
import { EditOrganization } from './edit-organization'
import styles from './organization.module.css'
import { useOrganization, type Chosen } from './organization-store'
import { Trouble } from './trouble'
import { UserDetails } from './user-details'
import { UserList } from './user-list'

/** Organizations of an instance: the caller's own, and others by number or name. */
export function OrganizationView(): ReactNode {
  const { store, browsing } = useOrganization()
  return (
    <ServiceView
      wanted={browsing.instanceId}
      onChoose={(id) => {
        store.open(id)
      }}
    >
      {(instanceId, select) => <Browser instanceId={instanceId} select={select} />}
    </ServiceView>
  )
}

function Browser({
  instanceId,
  select,
}: {
  readonly instanceId: string
  readonly select: ReactNode
}): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useOrganization()
  const view = useRef<HTMLDivElement>(null)
  const { organization, chosen } = browsing
  useEffect(() => {
    store.open(instanceId)
  }, [store, instanceId])
  useRetryWhileCached(browsing.seenAt !== undefined, () => void store.refresh())
  const notOffered = browsing.error?.code === 'organizations/not-offered'

  function close(): void {
    store.choose(undefined)
  }

  return (
    <BrowserView
      view={view}
      name="organization"
      select={select}
      actions={
        !notOffered &&
        (['other', 'create', 'credentials'] as const).map((kind) => (
          <Button
            key={kind}
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              store.choose({ kind })
            }}
          >
            {t(`organization.${kind}.open`)}
          </Button>
        ))
      }
      isLoading={browsing.loading}
      onRefresh={() => void store.refresh()}
      status={
        <p role="status" className={styles.notice}>
          {browsing.notice}
        </p>
      }
      list={<List />}
      details={
        chosen && {
          which: chosen.kind === 'user' ? chosen.userId : chosen.kind,
          content: <ChosenDetails instanceId={instanceId} chosen={chosen} onClose={close} />,
        }
      }
      hint={
        organization && (
          <section aria-label={t('organization.details')} className={styles.about}>
            <About organization={organization} />
          </section>
        )
      }
      onClose={close}
    />
  )
}

/** The organization with its users, or the error. */
function List(): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useOrganization()
  const { organization, error, loading, seenAt, host, which } = browsing
  return (
    <>
      {error && <Trouble error={error} />}
      {seenAt !== undefined && <AsOf service={host ?? browsing.instanceId ?? ''} seenAt={seenAt} />}
      {organization === undefined && error === undefined && loading && (
        <Loading label={t('organization.loading')} />
      )}
      {organization !== undefined && (
        <>
          <div className={styles.organization}>
            <div className={styles.organizationText}>
              <h2 className={styles.clamped}>
                <bdi>{organization.name}</bdi>
              </h2>
              <p className={page.quiet}>
                {which.by === 'current'
                  ? t('organization.current', { orgId: organization.orgId })
                  : t('organization.number', { orgId: organization.orgId })}
              </p>
            </div>
            <Button
              variant="default"
              onClick={() => {
                store.choose({ kind: 'about' })
              }}
            >
              {t('organization.about.open')}
            </Button>
          </div>
          <UserList organization={organization} />
        </>
      )}
    </>
  )
}

function ChosenDetails({
  instanceId,
  chosen,
  onClose,
}: {
  readonly instanceId: string
  readonly chosen: Chosen
  readonly onClose: () => void
}): ReactNode {
  const { browsing } = useOrganization()
  const { organization, users } = browsing
  switch (chosen.kind) {
    case 'create':
      return <CreateOrganization onCancel={onClose} />
    case 'other':
      return <ChooseOrganization />
    case 'credentials':
      return <CredentialsForm instanceId={instanceId} wants="bearer" />
    case 'about':
      return organization && <About organization={organization} />
    case 'edit':
      return organization && <EditOrganization organization={organization} />
    case 'delete':
      return organization && <DeleteOrganization organization={organization} />
    case 'add-user':
      return organization && <AddUser organization={organization} onCancel={onClose} />
    case 'user': {
      const user = users?.find(({ userId }) => userId === chosen.userId)
      return organization && user && <UserDetails organization={organization} user={user} />
    }
  }
}
