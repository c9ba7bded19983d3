import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { errorCodes } from '../../contract/error-codes'
import { startTestMock } from '../../mock-server/test-authority'
import { cases } from '../../scripts/fuzzing'
import { isNightly } from '../../scripts/nightly-tests'
import { createOpenBrowser } from '../portal/oauth/open-browser'
import { anyCall, commandNames } from './any-call.testing'
import { createDispatch } from './dispatch'
import { startModel } from './model.testing'

vi.setConfig({ testTimeout: isNightly ? 600_000 : 60_000 })

/** Without those that start a tunnel or ask for an administrator's password; their tests are elsewhere. */
const tried = commandNames.filter((name) => name !== 'connect' && name !== 'installHelper')

it('answers whatever the page sends, and nothing of it is a defect', async () => {
  const mock = await startTestMock({ autoApprove: true })
  onTestFinished(() => mock.close())
  const folder = await mkdtemp(join(tmpdir(), 'causeway-any-command-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // The entry for the start at login is written here.
  vi.stubEnv('XDG_CONFIG_HOME', folder)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const { model, run } = await startModel({
    dataDir: join(folder, 'data'),
    kind: 'window',
    openBrowser: createOpenBrowser({ openExternal: approve }),
  })
  const { instanceId } = await run.addInstance({ address: mock.instance })

  await fc.assert(
    fc.asyncProperty(
      fc.array(anyCall(tried, [instanceId, 'internet', 'office']), { minLength: 1, maxLength: 12 }),
      async (calls) => {
        // One of the calls before may have removed it.
        await run.addInstance({ address: mock.instance })
        const defects: unknown[] = []
        const dispatch = createDispatch(run, (error) => defects.push(error))
        const answers = await Promise.all(calls.map(([name, input]) => dispatch(name, input)))
        expect(defects).toEqual([])
        for (const answer of answers) {
          if (!answer.ok) expect(errorCodes).toContain(answer.error.code)
        }
        // The state can still be sent to the page.
        structuredClone(model.state())
      },
    ),
    cases('up to 12 commands of a hostile page at once'),
  )
})

/** A browser whose user approves the login. */
async function approve(url: string): Promise<void> {
  if (!url.startsWith('http://127.0.0.1')) return
  const { headers } = await fetch(url, { redirect: 'manual' })
  await (await fetch(headers.get('location') ?? url)).text()
}
