import { Anchor, Button } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandButton } from '../../ui/command-button'
import { textParts } from '../../ui/text-parts'
import page from '../../ui/page.module.css'
import styles from './messages.module.css'

/** The text of a message, never as markup. Its web addresses are links, which open after a question. */
export function MessageText({ text }: { readonly text: string }): ReactNode {
  const [asked, setAsked] = useState<{ readonly url: string; readonly link: HTMLElement }>()
  return (
    <>
      <p dir="auto" className={styles.text}>
        {textParts(text).map((part, index) =>
          part.kind === 'link' ? (
            <Anchor
              key={index}
              component="button"
              type="button"
              inherit
              ta="start"
              aria-expanded={asked?.url === part.url}
              onClick={(event) => {
                setAsked({ url: part.url, link: event.currentTarget })
              }}
            >
              <bdi dir="ltr">{part.url}</bdi>
            </Anchor>
          ) : (
            <span key={index}>{part.text}</span>
          ),
        )}
      </p>
      {asked && (
        <OpenAddress
          key={asked.url}
          url={asked.url}
          onClose={() => {
            setAsked(undefined)
            asked.link.focus()
          }}
        />
      )}
    </>
  )
}

/** Asks before an address of a message opens: the text around it may say something else. */
function OpenAddress({ url, onClose }: { readonly url: string; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.querySelector('button')?.focus()
  }, [])
  const { host } = new URL(url)
  return (
    <div
      ref={box}
      role="group"
      aria-label={t('messages.open.question', { host })}
      className={styles.open}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <p>{t('messages.open.question', { host })}</p>
      <div className={page.buttons}>
        <CommandButton command="openContentLink" input={{ url }} variant="filled" onDone={onClose}>
          {t('messages.open.yes')}
        </CommandButton>
        <CommandButton command="copyText" input={{ text: url }} done={t('connection.copied')}>
          {t('messages.open.copy')}
        </CommandButton>
        <Button variant="default" onClick={onClose}>
          {t('messages.open.no')}
        </Button>
      </div>
    </div>
  )
}
