import { Button, Checkbox } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { IconApps } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { appsOf, type AppsSplit, type ListedApp, moveFailures } from '../../../contract/apps'
import { useAppState, useCommand } from '../../store/context'
import { dividesApps } from '../../store/divides-apps'
import { useFetched } from '../../store/queries'
import { containsWords } from '../../ui/contains-words'
import { ErrorNote } from '../../ui/error-note'
import { MoreMenu } from '../../ui/more-menu'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import styles from './apps-settings.module.css'
import { InstallHelper } from './install-helper'
import { SettingChoice, useManaged } from './setting-switch'
import { SettingsSection } from './settings-section'

/** The apps that don't use the VPN, or alone do. */
export function AppsSettings(): ReactNode {
  const { t } = useTranslation()
  const { settings, connection, shortcuts } = useAppState()
  const isUsed = dividesApps({ settings, shortcuts })
  const found = useFetched('listApps', undefined, { staleTime: 0 })
  const here = found.data?.here
  const missing = here === undefined || here === 'available' ? undefined : t(`settings.apps.missing.${here}`)
  // What is set can be changed back anywhere.
  const isOffered = here === 'running-only' || (here !== undefined && missing === undefined) || isUsed
  // A profile can have what isn't set for all.
  const hasOutside =
    isUsed &&
    (settings.appsMode !== 'only' || (shortcuts.choices ?? []).some(({ appsMode }) => appsMode === 'except'))
  const split = connection.state === 'connected' ? connection.apps : undefined
  return (
    <SettingsSection name="apps" title={t('settings.apps.title')}>
      <p className={page.quiet}>
        {t('settings.apps.text')}
        {(settings.appsNames === 'tunnel' || !hasOutside) && ` ${t('settings.apps.namesFromVpn')}`}
      </p>
      {missing !== undefined && <p>{missing}</p>}
      {here === 'no-helper' && <InstallHelper onInstalled={() => void found.refetch()} />}
      {found.error && <ErrorNote error={found.error.report} />}
      {isOffered && (
        <>
          <SettingChoice
            name="appsMode"
            label={t('settings.appsMode.label')}
            text={t('settings.appsMode.text')}
            options={[
              { value: 'all', label: t('settings.appsMode.all') },
              { value: 'except', label: t('settings.appsMode.except') },
              { value: 'only', label: t('settings.appsMode.only') },
            ]}
          />
          {hasOutside && (
            <SettingChoice
              name="appsOutside"
              label={t('settings.appsOutside.label')}
              text={t('settings.appsOutside.text')}
              options={[
                { value: 'allow', label: t('settings.appsOutside.allow') },
                { value: 'block', label: t('settings.appsOutside.block') },
              ]}
            />
          )}
          {hasOutside && (found.data?.networkNames === true || settings.appsNames === 'network') && (
            <SettingChoice
              name="appsNames"
              label={t('settings.appsNames.label')}
              text={t(
                found.data?.networkNames === false && split === undefined
                  ? 'settings.appsNames.noEffect'
                  : 'settings.appsNames.text',
              )}
              options={[
                { value: 'tunnel', label: t('settings.appsNames.tunnel') },
                { value: 'network', label: t('settings.appsNames.network') },
              ]}
            />
          )}
          {split && <Running split={split} apps={found.data?.apps ?? []} />}
          {found.data && isUsed && <AppList apps={found.data.apps} onAdded={() => void found.refetch()} />}
        </>
      )}
    </SettingsSection>
  )
}

/** What is on the other side than the rest now. */
function Running({
  split,
  apps,
}: {
  readonly split: AppsSplit
  readonly apps: readonly ListedApp[]
}): ReactNode {
  const { t, i18n } = useTranslation()
  const names = (ids: readonly string[]): string =>
    new Intl.ListFormat(i18n.language).format(ids.map((id) => apps.find((app) => app.id === id)?.name ?? id))
  const { mode, running, failed = [] } = split
  return (
    <div role="status" className={styles.split}>
      <p>
        {running.length === 0
          ? t('settings.apps.nowNone')
          : t(mode === 'except' ? 'settings.apps.nowOutside' : 'settings.apps.nowInside', {
              apps: names(running),
            })}
      </p>
      {moveFailures
        .map((why) => ({ why, those: failed.filter((each) => each.why === why) }))
        .filter(({ those }) => those.length > 0)
        .map(({ why, those }) => (
          <p key={why}>{t(`settings.apps.notMoved.${why}`, { apps: names(those.map(({ app }) => app)) })}</p>
        ))}
    </div>
  )
}

function AppList({
  apps,
  onAdded,
}: {
  /** Those that were chosen when the page opened come first: a row stays where it is. */
  readonly apps: readonly ListedApp[]
  readonly onAdded: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { settings } = useAppState()
  const managed = useManaged()('apps')
  const [words, setWords] = useState('')
  const add = useCommand('addAppByFile')
  const list = appsOf(settings.apps)
  const shown = apps
    .filter(({ id, name }) => containsWords(`${name} ${id}`, words))
    .toSorted((one, other) => Number(other.listed) - Number(one.listed))
  return (
    <div className={styles.apps}>
      {managed !== undefined && <p className={page.quiet}>{managed}</p>}
      <div className={styles.tools}>
        <TextField
          type="search"
          className={styles.search}
          aria-label={t('settings.apps.search')}
          placeholder={t('settings.apps.search')}
          value={words}
          onType={setWords}
          verbatim
        />
        {managed === undefined && (
          <Button
            variant="default"
            loading={add.pending}
            onClick={() => {
              void add.run(undefined).then(({ ok }) => {
                if (ok) onAdded()
              })
            }}
          >
            {t('settings.apps.add')}
          </Button>
        )}
      </div>
      {add.error && <ErrorNote error={add.error} />}
      {shown.length === 0 ? (
        <p className={page.quiet}>{t('settings.apps.none')}</p>
      ) : (
        <ul aria-label={t('settings.apps.chosen')} className={styles.list}>
          {shown.map((app) => (
            <AppRow
              key={app.id}
              app={app}
              isChosen={list.includes(app.id)}
              isManaged={managed !== undefined}
              opens={settings.appsMode === 'only' ? 'openInside' : 'openOutside'}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

function AppRow({
  app,
  isChosen,
  isManaged,
  opens,
}: {
  readonly app: ListedApp
  readonly isChosen: boolean
  readonly isManaged: boolean
  readonly opens: 'openInside' | 'openOutside'
}): ReactNode {
  const { t } = useTranslation()
  const { ref, inViewport } = useInViewport<HTMLLIElement>()
  const set = useCommand('setApp')
  const open = useCommand('openApart')
  const error = set.error ?? open.error
  return (
    <li ref={ref} className={styles.app}>
      <div className={styles.row}>
        <AppIcon app={app} isSeen={inViewport} />
        <Checkbox
          className={styles.name}
          label={<bdi>{app.name}</bdi>}
          checked={isChosen}
          disabled={isManaged || set.pending}
          onChange={(event) => void set.run({ app: app.id, listed: event.currentTarget.checked })}
        />
        {app.canOpen === true && (
          <MoreMenu
            label={t('settings.apps.more', { app: app.name })}
            entries={[
              {
                key: opens,
                label: t(`settings.apps.${opens}`),
                onChoose: () => void open.run({ app: app.id }),
              },
            ]}
          />
        )}
      </div>
      {error && <ErrorNote error={error} />}
    </li>
  )
}

/** Its icon, which is fetched once it's seen. */
function AppIcon({ app, isSeen }: { readonly app: ListedApp; readonly isSeen: boolean }): ReactNode {
  const { data } = useFetched('appIcon', { app: app.id }, { enabled: isSeen && app.installed })
  if (data?.url === undefined) return <IconApps size={24} aria-hidden className={styles.icon} />
  return <img src={data.url} alt="" width={24} height={24} className={styles.icon} />
}
