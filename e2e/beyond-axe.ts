import type { Page } from '@playwright/test'

/**
 * Runs in the page. Finds what axe doesn't look at: placeholders with a contrast below 4.5 : 1, and targets smaller than 24 px in
 * either direction (WCAG 2.2, 1.4.3 and 2.5.8). Links inside a text may be smaller.
 */
const measure = `(() => {
  const found = []
  const name = (element) => element.tagName.toLowerCase() + ' "' + (element.getAttribute('aria-label') || element.placeholder || element.textContent || '').slice(0, 40) + '"'
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true })
  // Over what was drawn before, in whatever notation the color is.
  const paint = (colors) => {
    for (const color of colors) {
      pen.fillStyle = color
      pen.fillRect(0, 0, 1, 1)
    }
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && getComputedStyle(element).clipPath === 'none'

  for (const field of document.querySelectorAll('input[placeholder], textarea[placeholder]')) {
    if (!isShown(field) || field.placeholder === '') continue
    const grounds = ['Canvas']
    for (let at = field; at; at = at.parentElement) grounds.splice(1, 0, getComputedStyle(at).backgroundColor)
    const ground = luminance(paint(grounds))
    const { color, opacity } = getComputedStyle(field, '::placeholder')
    pen.globalAlpha = Number(opacity)
    const ink = luminance(paint([color]))
    pen.globalAlpha = 1
    const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05)
    if (contrast < 4.5) found.push('placeholder at ' + contrast.toFixed(2) + ' : 1: ' + name(field))
  }

  for (const target of document.querySelectorAll('button, a[href], select, input:not([type=hidden]), textarea, [role=option], [role=menuitem]')) {
    if (!isShown(target) || target.disabled) continue
    if (target.matches('a, button') && getComputedStyle(target).display === 'inline') continue
    // The label, or what a pseudo-element adds to it, takes clicks, too.
    const boxes = [target, ...(target.labels ?? [])].map((each) => each.getBoundingClientRect())
    const over = getComputedStyle(target, '::after')
    const isWide = over.content !== 'none' && over.position === 'absolute'
    const [width, height] = ['width', 'height'].map((side) => Math.max(...boxes.map((box) => box[side]), isWide ? parseFloat(over[side]) || 0 : 0))
    if (width > 1 && (width < 23.5 || height < 23.5)) found.push('target of ' + Math.round(width) + ' × ' + Math.round(height) + ': ' + name(target))
  }
  return found
})()`

/** Returns the placeholders that can't be read and the targets that can't be hit. */
export function beyondAxe(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(measure)
}
