import { describe, expect, it } from 'vitest'
import { importProblem } from './rules.mjs'

describe('the import rules', () => {
  it.each([
    ['renderer/app.tsx', 'main/cli/program'],
    ['renderer/features/news/view.test.tsx', 'mock-server/server'],
    ['mock-server/server.ts', 'contract/errors'],
    ['main/app/app.ts', 'mock-server/server'],
    ['preload/index.ts', 'main/app/app'],
    ['contract/errors.ts', 'renderer/store/store'],
    ['e2e/login.e2e.ts', 'main/cli/program'],
    ['main/portal/oauth/login.ts', 'main/connection/connect'],
    ['main/tunnel/tunnel.ts', 'main/tunnel/openvpn/backend'],
    ['main/tunnel/tunnel.ts', 'main/privilege/helper'],
    ['main/platform/http/http.ts', 'main/platform/storage/json-file'],
    ['main/cli/commands/profile.ts', 'main/portal/v2/certificate'],
    ['main/commands/commands.ts', 'main/desktop/window/ipc'],
    ['main/commands/commands.ts', 'main/cli/context'],
    ['main/commands/models/app-model.ts', 'main/commands/dispatch'],
  ])('%s may not import %s', (file, imported) => {
    expect(importProblem(file, imported)).toBeTypeOf('string')
  })

  it.each([
    ['renderer/app.tsx', 'contract/errors'],
    ['main/app/app.test.ts', 'mock-server/server'],
    ['main/cli/causeway.testing.ts', 'mock-server/server'],
    ['main/portal/oauth/login.ts', 'main/errors'],
    ['main/portal/oauth/login.ts', 'main/platform/http/http'],
    ['main/tunnel/openvpn/backend.ts', 'main/tunnel/tunnel'],
    ['main/cli/commands/certificate.ts', 'main/portal/v2/certificate'],
    ['main/cli/context.ts', 'main/commands/dispatch'],
    ['main/desktop/window/ipc.ts', 'main/commands/dispatch'],
    ['main/index.ts', 'main/desktop/start'],
  ])('%s may import %s', (file, imported) => {
    expect(importProblem(file, imported)).toBeUndefined()
  })
})
