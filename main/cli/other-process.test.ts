import { expect, it, onTestFinished, vi } from 'vitest'
import { appState } from '../../contract/state'
import { startCommandAndMock } from './causeway.testing'
import type { AppModel } from '../commands/models/app-model'
import type { CommandHandlers } from '../commands/dispatch'
import { startModel, type StartedModel } from '../commands/model.testing'

const { command, mock } = await startCommandAndMock({ autoApprove: true })

interface Desk {
  readonly model: AppModel
  readonly run: CommandHandlers
  readonly instanceId: string
  /** The terminal command of the same user, which holds the tunnel and waits for a browser that does nothing. */
  readonly terminal: { readonly pid: number; readonly exitStatus: Promise<number | undefined> }
  readonly services: StartedModel['services']
}

/** Starts the window's model and a terminal command that holds the tunnel. */
async function desk(): Promise<Desk> {
  const person = await command.person(mock.instance)
  const { services, model, run } = await startModel({ dataDir: person.dataDir, kind: 'window' })
  const running = person.start(['connect', 'internet', '--check', '--json'], {
    env: { CAUSEWAY_BROWSER: `"${process.execPath}" -e 0` },
  })
  onTestFinished(() => {
    running.kill('SIGKILL')
  })
  await vi.waitFor(() => {
    expect(model.state()).toMatchObject({
      connection: { state: 'authorizing' },
      heldBy: { kind: 'terminal' },
    })
  })
  return {
    model,
    run,
    instanceId: model.state().instances[0]?.id ?? '',
    terminal: { pid: running.pid ?? 0, exitStatus: running.then(({ exitCode }) => exitCode) },
    services,
  }
}

it('shows the connection of the terminal and ends it', async () => {
  const { model, run, instanceId, terminal } = await desk()
  expect(appState.parse(structuredClone(model.state()))).toMatchObject({
    connection: { state: 'authorizing', target: { instanceId, profileId: 'internet' } },
    heldBy: { kind: 'terminal', pid: terminal.pid },
  })
  await run.disconnect()
  expect(await terminal.exitStatus).toBe(130)
  await vi.waitFor(() => {
    expect(model.state()).toMatchObject({ connection: { state: 'idle' }, heldBy: undefined })
  })
})

it('ends the connection of the terminal on logout', async () => {
  const { model, run, instanceId, terminal } = await desk()
  await run.logOut({ instanceId })
  expect(await terminal.exitStatus).toBe(130)
  expect(model.state().instances).toMatchObject([{ login: 'signed-out', loggedOut: true }])
})

it('connects while the terminal holds the tunnel only with takeOver', async () => {
  const { model, run, instanceId, terminal, services } = await desk()
  const target = { instanceId, profileId: 'internet' }
  await expect(run.connect(target)).rejects.toMatchObject({
    code: 'connection/held-by-other',
    details: { kind: 'terminal', pid: terminal.pid },
  })
  expect(model.state()).toMatchObject({ connection: { state: 'authorizing' }, heldBy: { pid: terminal.pid } })

  const outcome = run.connect({ ...target, takeOver: true })
  expect(await terminal.exitStatus).toBe(130)
  await vi.waitFor(() => {
    expect(services.connection.state.state).toBe('authorizing')
  })
  expect(model.state()).toMatchObject({ connection: { state: 'authorizing', target }, heldBy: undefined })
  await run.disconnect()
  await outcome
  expect(services.connection.state.state).toBe('disconnected')
})

it('renews the login while the terminal holds the tunnel only with takeOver', async () => {
  const { model, run, instanceId, terminal, services } = await desk()
  await expect(run.renewSession({ instanceId })).rejects.toMatchObject({
    code: 'connection/held-by-other',
    details: { kind: 'terminal', pid: terminal.pid, profileId: 'internet' },
  })
  expect(model.state()).toMatchObject({ connection: { state: 'authorizing' }, heldBy: { pid: terminal.pid } })

  const outcome = run.renewSession({ instanceId, takeOver: true })
  const refused = expect(outcome).rejects.toMatchObject({ code: 'oauth/cancelled' })
  expect(await terminal.exitStatus).toBe(130)
  await vi.waitFor(() => {
    expect(model.state().instances).toMatchObject([{ login: 'waiting-for-browser', renewing: true }])
  })
  await run.cancelLogIn({ instanceId })
  await refused
  // The terminal's connection is tried here without a browser, and fails because there is no login.
  expect(services.connection.state).toMatchObject({
    state: 'failed',
    target: { instanceId, profileId: 'internet' },
    error: { code: 'oauth/login-required' },
  })
})
