import { Button } from '@mantine/core'
import { IconBuildingCommunity } from '@tabler/icons-react'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState } from '../../store/context'
import { AsOf } from '../../ui/as-of'
import { DetailsSection } from '../../ui/details-section'
import detailsStyles from '../../ui/details-section.module.css'
import { NoService } from '../../ui/no-service'
import { InstanceSelect } from '../../ui/instance-select'
import { ListAndDetails } from '../../ui/list-and-details'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import { RefreshButton } from '../../ui/refresh-button'
import { useAgainWhileOld } from '../../ui/use-again-while-old'
import { useWayBack } from '../../ui/use-way-back'
import { About } from './about'
import { AddUser } from './add-user'
import { ChooseOrganization } from './choose-organization'
import { CreateOrganization } from './create-organization'
import { CredentialsForm } from './credentials-form'
import { DeleteOrganization } from './delete-organization'
import { EditOrganization } from './edit-organization'
import styles from './organization.module.css'
import type { Chosen } from './organization-store'
import { Trouble } from './trouble'
import { useOrganization } from './use-organization'
import { UserDetails } from './user-details'
import { UserList } from './user-list'

/** Organizations of an instance: the caller's own, and others by number or name. */
export function OrganizationView(): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  const { store, browsing } = useOrganization()
  const shown = instances.find(({ id }) => id === browsing.instanceId) ?? instances[0]
  const instanceId = shown?.id
  useEffect(() => {
    if (instanceId !== undefined) store.open(instanceId)
  }, [store, instanceId])
  if (instanceId === undefined) {
    return (
      <>
        <h1>{t('organization.title')}</h1>
        <NoService icon={IconBuildingCommunity} text={t('organization.noInstance')} />
      </>
    )
  }
  return (
    <Browser
      instanceId={instanceId}
      instance={
        <InstanceSelect
          shown={instanceId}
          onChoose={(id) => {
            store.open(id)
          }}
        />
      }
    />
  )
}

function Browser({
  instanceId,
  instance,
}: {
  readonly instanceId: string
  readonly instance: ReactNode
}): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useOrganization()
  const wayBack = useWayBack()
  const { organization, chosen } = browsing
  useAgainWhileOld(browsing.seenAt !== undefined, () => void store.refresh())
  const notOffered = browsing.error?.code === 'organizations/not-offered'

  function close(): void {
    store.choose(undefined)
    wayBack.go()
  }

  const choose = (kind: 'create' | 'other' | 'credentials', text: string): ReactNode => (
    <Button
      variant="subtle"
      size="compact-sm"
      onClick={(event) => {
        wayBack.from(event.currentTarget)
        store.choose({ kind })
      }}
    >
      {text}
    </Button>
  )

  return (
    <div className={styles.view} data-details={chosen === undefined ? undefined : true}>
      <div className={page.head}>
        <h1>{t('organization.title')}</h1>
        {instance}
        {!notOffered && (
          <div className={styles.actions}>
            {choose('other', t('organization.other.open'))}
            {choose('create', t('organization.create.open'))}
            {choose('credentials', t('organization.credentials.open'))}
          </div>
        )}
        <RefreshButton
          label={t('organization.refresh')}
          loading={browsing.loading}
          onRefresh={() => {
            void store.refresh()
          }}
        />
      </div>
      <p role="status" className={styles.told}>
        {browsing.told}
      </p>
      <ListAndDetails
        onClose={close}
        list={
          <List
            onOpen={(element) => {
              wayBack.from(element)
            }}
          />
        }
        details={chosen && <Details instanceId={instanceId} chosen={chosen} onClose={close} />}
        hint={
          organization && (
            <section aria-label={t('organization.details')} className={detailsStyles.details}>
              <About organization={organization} />
            </section>
          )
        }
      />
    </div>
  )
}

/** The organization with its users, or the error. */
function List({ onOpen }: { readonly onOpen: (opener: HTMLElement) => void }): ReactNode {
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
              <p className={styles.quiet}>
                {which.by === 'current'
                  ? t('organization.current', { orgId: organization.orgId })
                  : t('organization.number', { orgId: organization.orgId })}
              </p>
            </div>
            <Button
              variant="default"
              onClick={(event) => {
                onOpen(event.currentTarget)
                store.choose({ kind: 'about' })
              }}
            >
              {t('organization.about.open')}
            </Button>
          </div>
          <UserList organization={organization} onOpen={onOpen} />
        </>
      )}
    </>
  )
}

/** Details of the chosen item. Escape closes them. */
function Details({
  instanceId,
  chosen,
  onClose,
}: {
  readonly instanceId: string
  readonly chosen: Chosen
  readonly onClose: () => void
}): ReactNode {
  const { t } = useTranslation()
  const which = chosen.kind === 'user' ? chosen.userId : chosen.kind
  return (
    <DetailsSection
      label={t('organization.details')}
      back={t('organization.back')}
      close={t('organization.close')}
      which={which}
      onClose={onClose}
    >
      <WhatWasChosen key={which} instanceId={instanceId} chosen={chosen} onClose={onClose} />
    </DetailsSection>
  )
}

function WhatWasChosen({
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
