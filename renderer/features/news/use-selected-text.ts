import { useEffect, useState, type RefObject } from 'react'

/** The text that the person has selected in the part of this element that may have misprints; empty without one. */
export function useSelectedText(within: RefObject<HTMLElement | null>): string {
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
  return selection.toString().trim().slice(0, longestReport)
}

/** What the service takes (content-and-organization-apis.md, interface A, has no limit; known servers do). */
export const longestReport = 5000
