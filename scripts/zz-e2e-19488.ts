import { runInPrivateSession } from './private-session'
const code = await runInPrivateSession(['npx', '--no-install', 'playwright', 'test', '--reporter=list', ...process.argv.slice(2)], { display: true, env: { PLAYWRIGHT_FORCE_TTY: 'false' } })
process.exitCode = typeof code === 'number' ? code : 0
