/**
 * Moves the focus to where a person goes on in a view: its marked element (`data-arrival`, or `data-next` in a list), else its heading. Never to the view
 * as a whole, where a screen reader would read all of it.
 */
export function focusArrival(main: HTMLElement | null): void {
  const next =
    main?.querySelector<HTMLElement>(':is([data-arrival], [data-next]):not(:disabled)') ??
    main?.querySelector('h1') ??
    main
  if (!(next instanceof HTMLElement)) return
  if (next.tabIndex < 0) next.tabIndex = -1
  next.focus({ preventScroll: true })
}
