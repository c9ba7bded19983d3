import { useEffect, useState, type RefObject } from 'react'

/** Returns the selected text inside the reportable part of this element; empty without one. */
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

/** Limit of known servers. (content-and-organization-apis.md, interface A, names none.) */
export const longestReport = 5000
