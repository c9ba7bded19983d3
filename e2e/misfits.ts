import type { Page } from '@playwright/test'

/**
 * Runs in the page. Finds elements that scroll sideways, leave the window, are cut off or overlap. In a `roomy`
 * window, the app's own words must also fit in one line. Texts of any length (names, a server's texts) may be
 * truncated or broken.
 */
const measure = `(roomy) => {
  const found = []
  const name = (element) => element.tagName.toLowerCase() + '.' + String(element.className.baseVal ?? element.className) +
    ' "' + (element.textContent ?? '').slice(0, 40) + '"'
  // What has no room for the whole of it is left out: it stands beside its box, which hides it.
  const isLeftOut = (element) => {
    const spare = element.closest('[data-spare]')
    if (spare === null) return false
    const [box, its] = [spare.parentElement.getBoundingClientRect(), spare.getBoundingClientRect()]
    return its.left >= box.right - 1 || its.right <= box.left + 1
  }
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && !isLeftOut(element)
  const root = document.scrollingElement
  if (root.scrollWidth > root.clientWidth) found.push('the page is ' + root.scrollWidth + ' of ' + root.clientWidth)
  // Only the view scrolls.
  if (root.scrollHeight > root.clientHeight) found.push('the page is ' + root.scrollHeight + ' high of ' + root.clientHeight)

  for (const element of document.querySelectorAll('#root *')) {
    const style = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    // The indicator follows its target with an animation.
    if (element.matches('.mantine-FloatingIndicator-root')) continue
    // Visually hidden text for screen readers.
    if (isLeftOut(element) || style.visibility === 'hidden' || box.width <= 1 || box.height <= 1) continue
    if (['auto', 'scroll'].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1)
      found.push('scrolls: ' + name(element))
    if (box.right > innerWidth + 1 || box.left < -1) found.push('out of the window: ' + name(element))
  }

  // Returns the narrowest box around a text; undefined if it may be truncated.
  const room = (element) => {
    let [left, right] = [0, innerWidth]
    for (let at = element; at.id !== 'root'; at = at.parentElement) {
      const style = getComputedStyle(at)
      const box = at.getBoundingClientRect()
      if (style.textOverflow === 'ellipsis' || box.width <= 1) return undefined
      if (style.display === 'inline' || style.display === 'contents') continue
      left = Math.max(left, box.left)
      right = Math.min(right, box.right)
      if (['auto', 'scroll'].includes(style.overflowX)) break
    }
    return [left, right]
  }
  const range = document.createRange()
  const texts = document.createTreeWalker(document.getElementById('root'), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    const element = text.parentElement
    const [left, right] = (isShown(element) && room(element)) || []
    if (left === undefined) continue
    const isOurs = element.closest('bdi, [dir], pre') === null
    const isWhole = roomy && isOurs && document.documentElement.lang !== 'ja'
    const button = isOurs && element.closest('button, label, nav a')?.getBoundingClientRect()
    for (const { 0: word, index } of text.data.matchAll(isWhole ? /[\\p{L}\\p{M}\\p{N}]+/gu : /\\S+/gu)) {
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 1)
      if (boxes.some((box) => box.left < left - 1 || box.right > right + 1)) found.push('cut: ' + word + ' in ' + name(element))
      if (isWhole && new Set(boxes.map(({ top }) => Math.round(top))).size > 1) found.push('broken: ' + word + ' in ' + name(element))
      if (button && boxes.some((box) => box.top < button.top - 1 || box.bottom > button.bottom + 1))
        found.push('too high: ' + word + ' in ' + name(element))
    }
  }

  const pen = document.createElement('canvas').getContext('2d')
  for (const input of roomy ? document.querySelectorAll('#root input[placeholder]:placeholder-shown') : []) {
    const { font, paddingLeft, paddingRight } = getComputedStyle(input)
    pen.font = font
    if (pen.measureText(input.placeholder).width > input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) + 1)
      found.push('cut: ' + input.placeholder)
  }

  const rows = new Set([...document.querySelectorAll('nav a:not([role=status] a)')].filter((link) => link.checkVisibility()).map((link) => link.getBoundingClientRect().top))
  if (roomy && rows.size > 1) found.push('the navigation has ' + rows.size + ' rows')

  // A name stands beside its picture, also where it's written in the other direction.
  for (const picture of document.querySelectorAll('#root [class*=avatar]')) {
    const beside = picture.nextElementSibling
    const text = beside && document.createTreeWalker(beside, NodeFilter.SHOW_TEXT).nextNode()
    if (!text || !isShown(picture)) continue
    range.selectNodeContents(text.parentElement)
    const [box, its] = [picture.getBoundingClientRect(), range.getBoundingClientRect()]
    const gap = document.dir === 'rtl' ? box.left - its.right : its.left - box.right
    if (gap > 24) found.push(Math.round(gap) + ' px from its picture: ' + name(beside))
  }

  // Scrolled content may lie under its scroll container.
  const scroller = (element) => {
    let at = element.parentElement
    while (at !== null && getComputedStyle(at).overflowY === 'visible') at = at.parentElement
    return at
  }
  const controls = [...document.querySelectorAll('#root :is(button, a, select, textarea, input:not([type=checkbox], [type=radio]))')]
    .filter((control) => isShown(control) && getComputedStyle(control).clipPath === 'none')
    .map((control) => ({ control, box: control.getBoundingClientRect(), within: scroller(control) }))
  controls.forEach(({ control, box, within }, index) => {
    for (const { control: other, box: its, within: where } of controls.slice(index + 1)) {
      const across = Math.min(box.right, its.right) - Math.max(box.left, its.left)
      const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top)
      if (across > 2 && down > 2 && within === where && !control.contains(other))
        found.push(name(control) + ' and ' + name(other) + ' overlap')
    }
  })
  return found.slice(0, 5)
}`

/**
 * Returns what doesn't fit in each of these languages. The app keeps the last one. In a `roomy` window, words of the
 * app must not be broken.
 */
export async function misfits(page: Page, tags: readonly string[], roomy: boolean): Promise<unknown> {
  return page.evaluate(`(async () => {
    const measure = ${measure}
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const all = {}
    for (const tag of ${JSON.stringify(tags)}) {
      if (document.documentElement.lang !== tag) {
        await causeway.run('setSetting', { name: 'language', value: tag })
        while (document.documentElement.lang !== tag) await frame()
      }
      if (document.dir !== (tag === 'ar' ? 'rtl' : 'ltr')) all[tag] = ['goes ' + document.dir]
      // An element that has just appeared may still be moving.
      const until = performance.now() + 2000
      let found = measure(${roomy})
      while (found.length > 0 && performance.now() < until) {
        await frame()
        found = measure(${roomy})
      }
      if (found.length > 0) all[tag] = [...(all[tag] ?? []), ...found]
    }
    return all
  })()`)
}
