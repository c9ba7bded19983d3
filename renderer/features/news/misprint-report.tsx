import { Button, Textarea } from '@mantine/core'
import { IconPencilExclamation } from '@tabler/icons-react'
import { useEffect, useState, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../../store/context'
import { CommandForm } from '../../ui/command-form'
import page from '../../ui/page.module.css'
import styles from './article.module.css'
import { useNewsInstance } from './use-news'

/** Limit of known servers. (content-and-organization-apis.md, interface A, names none.) */
const maxReportLength = 5000

type Step = { readonly is: 'closed' | 'thanked' } | { readonly is: 'open'; readonly text: string }

/**
 * Reports a typo to the editors: a button at the end of the article, and a floating one for selected text. Only an
 * article with an address can be reported.
 */
export function MisprintReport({
  article,
  url,
}: {
  readonly article: RefObject<HTMLElement | null>
  readonly url: string | undefined
}): ReactNode {
  const { t } = useTranslation()
  const selected = useSelectedText(article)
  const [step, setStep] = useState<Step>({ is: 'closed' })
  if (url === undefined) return null
  const open = (): void => {
    setStep({ is: 'open', text: selected })
  }
  if (step.is === 'open') {
    return (
      <MisprintForm
        url={url}
        text={step.text}
        onText={(text) => {
          setStep({ is: 'open', text })
        }}
        onSent={() => {
          setStep({ is: 'thanked' })
        }}
        onCancel={() => {
          setStep({ is: 'closed' })
        }}
      />
    )
  }
  return (
    <>
      {step.is === 'thanked' && (
        <p role="status" className={styles.thanks}>
          {t('news.misprint.thanks')}
        </p>
      )}
      {selected === '' ? (
        <Button
          variant="default"
          className={styles.misprint ?? ''}
          leftSection={<IconPencilExclamation size={16} aria-hidden />}
          onClick={open}
        >
          {t('news.misprint.report')}
        </Button>
      ) : (
        <Button
          className={styles.misprintSelected ?? ''}
          leftSection={<IconPencilExclamation size={16} aria-hidden />}
          // Pressing the mouse would remove the selection before the click.
          onMouseDown={(event) => {
            event.preventDefault()
          }}
          onClick={open}
        >
          {t('news.misprint.reportSelected')}
        </Button>
      )}
    </>
  )
}

function MisprintForm({
  url,
  text,
  onText,
  onSent,
  onCancel,
}: {
  readonly url: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly onSent: () => void
  readonly onCancel: () => void
}): ReactNode {
  const { t } = useTranslation()
  const instanceId = useNewsInstance()
  const report = useCommand('reportMisprint')

  async function send(): Promise<void> {
    const result = await report.run({ instanceId, text: text.trim(), address: url })
    if (result.ok) onSent()
  }

  return (
    <div className={styles.box}>
      <CommandForm
        label={t('news.misprint.title')}
        command={report}
        isReady={text.trim() !== ''}
        submit={t('news.misprint.send')}
        cancel={{ label: t('news.misprint.cancel'), run: onCancel }}
        onSubmit={send}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          onCancel()
        }}
      >
        <Textarea
          label={t('news.misprint.text')}
          description={t('news.misprint.hint')}
          value={text}
          maxLength={maxReportLength}
          rows={3}
          autoFocus
          onChange={(event) => {
            onText(event.currentTarget.value)
          }}
        />
        <p className={`${page.quiet} ${styles.address}`}>{t('news.misprint.address', { address: url })}</p>
      </CommandForm>
    </div>
  )
}

/** Returns the selected text inside the reportable part of this element; empty without one. */
function useSelectedText(within: RefObject<HTMLElement | null>): string {
  const [text, setText] = useState('')
  useEffect(() => {
    const look = (): void => {
      setText(selectedIn(within.current?.querySelector('[data-misprints]') ?? undefined))
    }
    document.addEventListener('selectionchange', look)
    return () => {
      document.removeEventListener('selectionchange', look)
    }
  }, [within])
  return text
}

function selectedIn(element: Element | undefined): string {
  const selection = document.getSelection()
  if (element === undefined || selection?.rangeCount !== 1 || selection.isCollapsed) return ''
  const { startContainer, endContainer } = selection.getRangeAt(0)
  if (!element.contains(startContainer) || !element.contains(endContainer)) return ''
  return selection.toString().trim().slice(0, maxReportLength)
}
