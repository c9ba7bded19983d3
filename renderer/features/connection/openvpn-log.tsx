import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectionLogLine } from '../../../contract/state'
import { useBridge } from '../../store/context'
import { CopyForSupport } from '../../ui/copy-for-support'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import { VirtualList } from '../../ui/virtual-list'
import styles from './connection.module.css'
import { useWhileVisible } from './use-while-visible'

/** As many as main keeps. */
const maxLines = 2000
const scrollsBack = ['ArrowUp', 'PageUp', 'Home']

/**
 * OpenVPN's log without secrets, which main removes. Main sends lines only while the log is visible and not paused.
 */
export function OpenVpnLog(): ReactNode {
  const { t, i18n } = useTranslation()
  const bridge = useBridge()
  const [lines, setLines] = useState<readonly ConnectionLogLine[]>([])
  const [words, setWords] = useState('')
  const [following, { close: pause, toggle }] = useDisclosure(true)
  useWhileVisible(() => {
    const stop = bridge.onConnectionNews(({ log }) => {
      if (log !== undefined) setLines((known) => linesAfter(known, log))
    })
    void bridge.run('watchConnectionLog', { after: lines.at(-1)?.number ?? 0 })
    return () => {
      stop()
      void bridge.run('watchConnectionLog', {})
    }
  }, following)
  const found = linesWith(lines, words)
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium' })

  return (
    <section className={styles.panel} aria-label={t('connection.log.title')}>
      <h2 className={styles.panelTitle}>{t('connection.log.title')}</h2>
      <div className={styles.logTools}>
        {lines.length > 0 && (
          <>
            <TextField
              className={styles.logFilter}
              aria-label={t('connection.log.filter')}
              placeholder={t('connection.log.filter')}
              value={words}
              maxLength={200}
              onType={setWords}
            />
            <Button variant="default" onClick={toggle}>
              {t(following ? 'connection.log.pause' : 'connection.log.follow')}
            </Button>
          </>
        )}
        <CopyForSupport />
      </div>
      {found.length === 0 ? (
        <p className={page.quiet}>
          {t(lines.length === 0 ? 'connection.log.empty' : 'connection.log.noMatch')}
        </p>
      ) : (
        // While the user scrolls back or selects text, the log doesn't scroll.
        <div
          className={styles.log}
          dir="ltr"
          onWheel={(event) => {
            if (event.deltaY < 0) pause()
          }}
          onPointerDown={pause}
          onKeyDown={(event) => {
            if (scrollsBack.includes(event.key)) pause()
          }}
        >
          <VirtualList
            label={t('connection.log.title')}
            count={found.length}
            rowHeight={20}
            rowKey={(index) => found[index]?.number ?? index}
            atEnd={following}
            focusable
            row={(index) => (
              <p className={styles.logLine}>
                <time dir="auto">{time.format(found[index]?.at)}</time>
                <span>{found[index]?.text}</span>
              </p>
            )}
          />
        </div>
      )}
    </section>
  )
}

/** Adds the new lines. Some may have arrived twice: once as news, once as an answer. */
function linesAfter(
  known: readonly ConnectionLogLine[],
  added: readonly ConnectionLogLine[],
): readonly ConnectionLogLine[] {
  const last = known.at(-1)?.number ?? 0
  return [...known, ...added.filter(({ number }) => number > last)].slice(-maxLines)
}

/** Returns the lines that contain these words, ignoring case; all lines without words. */
function linesWith(lines: readonly ConnectionLogLine[], words: string): readonly ConnectionLogLine[] {
  const wanted = words.trim().toLowerCase()
  return wanted === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted))
}
