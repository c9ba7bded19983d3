import { linkedAddress } from '../../portal/instance/typed-place'

/** Keeps the last opened link until somebody takes its address. A link without an address is forgotten. */
export class LinkInbox {
  #address: string | undefined
  #take: ((address: string) => void) | undefined

  put(link: string | undefined): void {
    const address = link === undefined ? undefined : linkedAddress(link)
    if (address === undefined) return
    if (this.#take === undefined) this.#address = address
    else this.#take(address)
  }

  /** Hands over the address that waits, and those of all links from now on. */
  onAddress(take: (address: string) => void): void {
    this.#take = take
    if (this.#address !== undefined) take(this.#address)
    this.#address = undefined
  }
}
