import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MoreMenu } from '../../ui/more-menu'
import styles from './settings.module.css'
import { sectionNames, type SectionName } from './settings-section'

/** The sections of the settings, to choose one. They are in one line: those that don't fit are in a menu at its end. */
export function SectionButtons({
  current,
  onChoose,
}: {
  readonly current: SectionName
  readonly onChoose: (name: SectionName) => void
}): ReactNode {
  const { t, i18n } = useTranslation()
  const list = useRef<HTMLUListElement>(null)
  const [count, setCount] = useState<number>(sectionNames.length)
  useLayoutEffect(() => {
    const { current } = list
    if (current === null) return undefined
    const measure = (): void => {
      const boxes = [...current.children].map((item) => item.getBoundingClientRect())
      const width = boxes.reduce((sum, box) => sum + box.width, 0)
      // Without the menu, there is room for its own width.
      const isRoom = width > 0 && width <= (current.parentElement?.clientWidth ?? 0)
      setCount(isRoom ? boxes.length : boxes.filter(({ top }) => top === boxes[0]?.top).length)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => {
      observer.disconnect()
    }
  }, [i18n.language])
  const titles: Readonly<Record<SectionName, string>> = {
    general: t('settings.general'),
    connection: t('settings.connection'),
    apps: t('settings.apps.title'),
    instances: t('settings.instances'),
    lists: t('directory.setting.label'),
    support: t('settings.support'),
    about: t('settings.about.title'),
  }
  const others = sectionNames.slice(count)
  return (
    <div className={styles.line}>
      <ul ref={list} aria-label={t('settings.sections')} className={styles.sections}>
        {sectionNames.map((name) => (
          <li key={name} data-hidden={others.includes(name) || undefined}>
            <button
              type="button"
              className={styles.section}
              aria-current={name === current ? 'page' : undefined}
              onClick={() => {
                onChoose(name)
              }}
            >
              {titles[name]}
            </button>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <MoreMenu
          label={t('navigation.more')}
          looks="plain"
          className={`${styles.section} ${others.includes(current) ? styles.current : ''}`}
          entries={others.map((name) => ({
            key: name,
            label: titles[name],
            chosen: name === current,
            onChoose: () => {
              onChoose(name)
            },
          }))}
        >
          {t('navigation.more')}
        </MoreMenu>
      )}
    </div>
  )
}
