import { linkedAddress } from '../../portal/instance/typed-place'
import { Inbox } from './inbox'

/** Keeps the addresses of opened links until somebody takes them. A link without an address is forgotten. */
export class LinkInbox {
  readonly #addresses = new Inbox<string>()

  put(link: string | undefined): void {
    const address = link === undefined ? undefined : linkedAddress(link)
    if (address !== undefined) this.#addresses.put(address)
  }

  /** Hands over the addresses that wait, the last one at the end, and those of all links from now on. */
  onAddress(take: (address: string) => void): void {
    this.#addresses.onEach(take)
  }
}
