import { Button } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { AsOf } from '../../ui/as-of'
import { BrowserView } from '../../ui/browser-view'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import { ServiceView } from '../../ui/service-view'
import { About } from './about'
import { AddUser } from './add-user'
import { ChooseOrganization } from './choose-organization'
import { CreateOrganization } from './create-organization'
import { CredentialsForm } from './credentials-form'
import { DeleteOrganization } from './delete-organization'
import { EditOrganization } from './edit-organization'
import styles from './organization.module.css'
import { Trouble } from './trouble'
import {
  noChoices,
  OrganizationContext,
  useChoices,
  useFetchedOrganization,
  useOrganization,
  type Chosen,
} from './use-organization'
import { UserDetails } from './user-details'
import { UserList } from './user-list'

/** Organizations of an instance: the caller's own, and others by number or name. */
export function OrganizationView(): ReactNode {
  const store = useChoices()
  return (
    <ServiceView
      wanted={useStore(store).instanceId}
      onChoose={(instanceId) => {
        store.setState({ ...noChoices, instanceId }, true)
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
  const view = useRef<HTMLDivElement>(null)
  const fetched = useFetchedOrganization(instanceId)
  const { organization, failure, loading, chosen, notice, choose, refresh } = fetched
  const notOffered = failure?.error.code === 'organizations/not-offered'

  function close(): void {
    choose(undefined)
  }

  return (
    <OrganizationContext value={fetched}>
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
                choose({ kind })
              }}
            >
              {t(`organization.${kind}.open`)}
            </Button>
          ))
        }
        isLoading={loading}
        onRefresh={() => void refresh()}
        status={
          <p role="status" className={styles.notice}>
            {notice}
          </p>
        }
        list={<List />}
        details={
          chosen && {
            which: chosen.kind === 'user' ? chosen.userId : chosen.kind,
            content: <ChosenDetails chosen={chosen} onClose={close} />,
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
    </OrganizationContext>
  )
}

/** The organization with its users, or the error. */
function List(): ReactNode {
  const { t } = useTranslation()
  const { instanceId, organization, failure, loading, cachedAt, host, which, choose } = useOrganization()
  return (
    <>
      {failure && <Trouble failure={failure} />}
      {cachedAt !== undefined && <AsOf service={host ?? instanceId} cachedAt={cachedAt} />}
      {organization === undefined && failure === undefined && loading && (
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
                choose({ kind: 'about' })
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
  chosen,
  onClose,
}: {
  readonly chosen: Chosen
  readonly onClose: () => void
}): ReactNode {
  const { organization, users } = useOrganization()
  switch (chosen.kind) {
    case 'create':
      return <CreateOrganization onCancel={onClose} />
    case 'other':
      return <ChooseOrganization />
    case 'credentials':
      return <CredentialsForm wants="bearer" />
    case 'about':
      return organization && <About organization={organization} />
    case 'edit':
      // The fields are those of one organization; the current one may become another.
      return organization && <EditOrganization key={organization.orgId} organization={organization} />
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
