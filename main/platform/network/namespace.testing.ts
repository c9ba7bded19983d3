import { execa } from 'execa'

/** A network namespace with a default route that leads nowhere; needs root. */
export class TestNamespace {
  readonly name: string

  private constructor(name: string) {
    this.name = name
  }

  /** Returns undefined if this computer does not allow it. */
  static async make(name: string): Promise<TestNamespace | undefined> {
    const made = await execa('ip', ['netns', 'add', name], { reject: false })
    if (made.failed) return undefined
    const namespace = new TestNamespace(name)
    await namespace.ip('link', 'set', 'lo', 'up')
    // A virtual cable with both ends here: one goes down with the other.
    await namespace.ip('link', 'add', 'cable', 'type', 'veth', 'peer', 'name', 'wall')
    await namespace.ip('address', 'add', '192.168.78.2/24', 'dev', 'cable')
    await namespace.ip('link', 'set', 'wall', 'up')
    await namespace.plugIn()
    return namespace
  }

  async ip(...words: string[]): Promise<string> {
    return (await execa('ip', ['-n', this.name, ...words])).stdout
  }

  async pullOut(): Promise<void> {
    await this.ip('link', 'set', 'cable', 'down')
  }

  async plugIn(gateway = '192.168.78.1'): Promise<void> {
    await this.ip('link', 'set', 'cable', 'up')
    await this.ip('route', 'replace', 'default', 'via', gateway)
  }

  /** Returns the words that start a program in the namespace. */
  get through(): readonly [string, ...string[]] {
    return ['ip', 'netns', 'exec', this.name]
  }

  async remove(): Promise<void> {
    await execa('ip', ['netns', 'delete', this.name], { reject: false })
  }
}
