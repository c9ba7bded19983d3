import js from '@eslint/js'
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import importX from 'eslint-plugin-import-x'
import reactHooks from 'eslint-plugin-react-hooks'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

/**
 * Who may import whom inside main/: each folder and the folders it may use. What is not listed is refused, so
 * that a new dependency is a decision. Everyone may use main/errors.ts and main/emitter.ts.
 */
const mainFolders: Record<string, string[]> = {
  files: [],
  http: [],
  clock: ['http'],
  lock: ['files', 'http'],
  settings: ['files', 'lock', 'programs'],
  'secret-store': [],
  programs: [],
  openvpn: ['files', 'programs'],
  helper: ['openvpn', 'programs'],
  network: ['http', 'programs'],
  traffic: [],
  'start-at-login': ['files', 'programs', 'settings'],
  instance: ['http', 'settings'],
  oauth: ['http', 'instance', 'secret-store'],
  'vpn-api': ['http', 'instance', 'oauth'],
  attachments: ['files', 'http', 'instance'],
  organizations: ['http', 'secret-store'],
  content: ['http'],
  seen: ['files', 'http'],
  'key-pair': ['http', 'secret-store', 'vpn-api'],
  expiry: ['connection', 'lock', 'settings'],
  unread: ['settings', 'vpn-api'],
  doctor: ['helper', 'openvpn', 'programs', 'secret-store'],
  log: ['connection', 'doctor', 'files', 'http', 'secret-store', 'settings'],
  connection: ['instance', 'key-pair', 'network', 'oauth', 'openvpn', 'settings', 'vpn-api'],
}

const mainZones = Object.entries(mainFolders).map(([folder, mayUse]) => ({
  target: `./main/${folder}`,
  from: './main',
  except: [`./${folder}`, './errors.ts', './emitter.ts', ...mayUse.map((used) => `./${used}`)],
  message: `main/${folder} may import only ${['errors', 'emitter', ...mayUse].join(', ')} (docs/architecture.md).`,
}))

const electronOnlyInShell = {
  name: 'electron',
  message: 'Only main/shell, main/index.ts and preload/index.ts know Electron (docs/architecture.md).',
}

/** Where a component shows what it holds, and where it says something by an attribute. */
const said =
  'JSXAttribute[name.name=/^(aria-label|aria-description|title|alt|label|description|placeholder|error)$/]'
const shown = `:matches(JSXElement, JSXFragment, ${said})`

export default defineConfig(
  { ignores: ['node_modules', 'out', 'dist', 'coverage', 'test-results', 'playwright-report'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.json',
          './renderer/tsconfig.json',
          './mock-server/control/page/client/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [
        createTypeScriptImportResolver({
          project: [
            'tsconfig.json',
            'renderer/tsconfig.json',
            'mock-server/control/page/client/tsconfig.json',
          ],
          noWarnOnMultipleProjects: true,
        }),
      ],
    },
    rules: {
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-imports': ['error', { paths: [electronOnlyInShell] }],
      'import-x/no-default-export': 'error',
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': [
        'error',
        {
          basePath: import.meta.dirname,
          zones: [
            {
              target: './renderer',
              from: ['./main', './mock-server', './e2e', './preload/index.ts'],
              message: 'renderer/ knows the rest only through preload/contract.ts.',
            },
            {
              target: './mock-server',
              from: ['./main', './preload', './renderer', './e2e'],
              message: 'mock-server/ is an independent reading of the documents.',
            },
            {
              target: ['./main/**/!(*.test).ts', './preload'],
              from: './mock-server',
              message: 'The app does not know the mock server; only its tests do.',
            },
            {
              target: './e2e',
              from: ['./main', './preload', './renderer', './mock-server'],
              message: 'e2e/ starts the app and the mock server from outside.',
            },
            {
              // The tray, a notification, and the terminal say with the words of the window what it says.
              target: './main/**/!(app-language|describe-connection).ts',
              from: './renderer',
              message: 'main/ knows of the renderer only some of its words.',
            },
            {
              target: './preload',
              from: ['./main', './renderer'],
              message: 'preload/ stands between main and renderer and imports neither.',
            },
            ...mainZones,
          ],
        },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    },
  },
  {
    files: ['renderer/**/*.{ts,tsx}'],
    ...reactHooks.configs.flat.recommended,
  },
  {
    files: ['renderer/**/*.tsx'],
    // Without main's state there are no texts.
    ignores: ['**/*.test.tsx', '**/*.testing.tsx', 'renderer/ui/no-state.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          'JSXText[value=/\\p{L}{2}/u]',
          `${shown} > JSXExpressionContainer > Literal[value=/\\p{L}{2}/u]`,
          `${shown} > JSXExpressionContainer > TemplateLiteral > TemplateElement[value.raw=/\\p{L}{2}/u]`,
          `${said} > Literal[value=/\\p{L}{2}/u]`,
        ].map((selector) => ({ selector, message: 'Words come from renderer/i18n, in every language.' })),
      ],
    },
  },
  {
    files: ['{main,preload,mock-server,scripts,bench}/**/*.test.ts'],
    ignores: ['**/*.isolated.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['mock', 'doMock', 'resetModules'].map((property) => ({
          object: 'vi',
          property,
          message: 'Test files share their modules; one that replaces a module is named *.isolated.test.ts.',
        })),
      ],
    },
  },
  {
    // It warns of the React compiler, which is not used here.
    files: ['renderer/ui/virtual-list.tsx'],
    rules: { 'react-hooks/incompatible-library': 'off' },
  },
  {
    files: ['main/index.ts', 'main/shell/**', 'preload/index.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['main/cli.ts', 'main/cli/**', 'mock-server/cli.ts', 'scripts/**', 'bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['*.config.ts'],
    rules: { 'import-x/no-default-export': 'off' },
  },
  {
    // electron-builder calls them as they are.
    files: ['build/**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: { parserOptions: { project: null } },
    rules: { ...tseslint.configs.disableTypeChecked.rules, 'import-x/no-default-export': 'off' },
  },
)
