import { execa } from 'execa'

/** Where `ip` and `nft` are, also for a user. */
export const sbin = { env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` } }

/** Runs `ip` with words that have no blanks, and returns its output. */
export async function ip(words: string): Promise<string> {
  return (await execa('ip', words.split(' '), sbin)).stdout
}

/**
 * Makes the network namespace of a computer, with the device `wan`, and that of its router, with `net0`, to which the computer's
 * default routes lead. The addresses are `prefix` and 2 or 1.
 */
export async function joinSpaces(
  computer: string,
  router: string,
  prefix: { readonly ipv4: string; readonly ipv6?: string },
): Promise<void> {
  for (const space of [computer, router]) {
    await ip(`netns add ${space}`)
    await ip(`-n ${space} link set lo up`)
  }
  await ip(`-n ${computer} link add wan type veth peer name net0 netns ${router}`)
  for (const [space, link, number] of [
    [computer, 'wan', 2],
    [router, 'net0', 1],
  ] as const) {
    await ip(`-n ${space} address add ${prefix.ipv4}${number}/24 dev ${link}`)
    // Its own address would come up at any time. Without any, it can't ask for a neighbour while a packet waits whose sender is gone.
    await ip(`-n ${space} link set ${link} addrgenmode none`)
    for (const address of prefix.ipv6 === undefined ? [] : ['fe80::', prefix.ipv6])
      await ip(`-n ${space} address add ${address}${number}/64 dev ${link} nodad`)
    await ip(`-n ${space} link set ${link} up`)
  }
  await ip(`-n ${computer} route add default via ${prefix.ipv4}1 metric 100`)
  if (prefix.ipv6 !== undefined) await ip(`-n ${computer} route add default via ${prefix.ipv6}1 metric 100`)
}
