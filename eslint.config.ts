import js from '@eslint/js'
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import importX from 'eslint-plugin-import-x'
import reactHooks from 'eslint-plugin-react-hooks'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

const everyones = ['errors', 'emitter', 'serial', 'duration-text', 'json', 'brand']

/**
 * Import rules inside main/: each folder and the folders it may use. Anything else is refused, so that a new dependency
 * is a deliberate decision. Every folder may use the files of `everyones`.
 */
const mainFolders: Record<string, string[]> = {
  'platform/http': [],
  'platform/clock': ['platform/http'],
  'platform/storage': [],
  'platform/child-process': [],
  'platform/secret-store': [],
  'platform/settings': ['platform/child-process', 'platform/storage'],
  'platform/autostart': ['platform/child-process', 'platform/settings', 'platform/storage'],
  'platform/network': ['platform/child-process', 'platform/http'],
  'platform/traffic': ['platform/child-process'],
  'platform/log': ['platform/http', 'platform/secret-store', 'platform/storage'],
  privilege: ['platform/child-process', 'platform/http', 'platform/storage'],
  // Shared by all protocols; each protocol has its own folder.
  'tunnel/*.ts': [],
  'tunnel/openvpn': ['privilege', 'platform/child-process', 'tunnel/tunnel.ts'],
  'portal/instance': ['platform/http', 'platform/storage', 'portal/portal.ts'],
  'portal/discovery': ['platform/http', 'portal/instance'],
  'portal/organization-list': ['platform/http', 'platform/storage', 'portal/instance', 'portal/portal.ts'],
  'portal/oauth': ['platform/http', 'portal/discovery', 'portal/instance', 'platform/secret-store'],
  // Shared by all versions of the API; each version has its own folder.
  'portal/*.ts': ['platform/http', 'platform/secret-store', 'platform/storage', 'tunnel/tunnel.ts'],
  'portal/v2': [
    'platform/http',
    'portal/instance',
    'portal/oauth',
    'portal/api-errors.ts',
    'portal/portal.ts',
    'platform/secret-store',
  ],
  'portal/v3': [
    'platform/http',
    'portal/instance',
    'portal/oauth',
    'portal/api-errors.ts',
    'portal/portal.ts',
    'platform/secret-store',
    'tunnel/tunnel.ts',
  ],
  connection: [
    'platform/http',
    'platform/network',
    'platform/storage',
    'portal/oauth',
    'portal/portal.ts',
    'tunnel/tunnel.ts',
  ],
  'services/attachments': ['platform/http', 'platform/storage', 'portal/instance'],
  'services/news': ['platform/http'],
  'services/organizations': ['platform/http', 'platform/secret-store'],
  'services/offline-cache': ['platform/http', 'platform/storage'],
  app: ['connection', 'platform', 'portal', 'privilege', 'services', 'tunnel'],
  cli: ['app', 'connection', 'platform', 'portal', 'privilege', 'services'],
  // An installed app also contains the terminal command.
  desktop: ['app', 'cli', 'connection', 'platform', 'portal', 'privilege', 'services'],
}

const mainZones = Object.entries(mainFolders).map(([folder, mayUse]) => ({
  target: `./main/${folder}`,
  from: './main',
  except: [folder.replace('/*.ts', ''), ...everyones.map((file) => `${file}.ts`), ...mayUse].map(
    (used) => `./${used}`,
  ),
  message: `main/${folder} may import only ${[...everyones, ...mayUse].join(', ')} (docs/architecture.md).`,
}))

const electronOnlyInDesktop = {
  name: 'electron',
  message: 'Only main/desktop, main/index.ts and preload/index.ts know Electron (docs/architecture.md).',
}

/** Attributes and elements whose text the user sees or hears. */
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
      'no-restricted-imports': ['error', { paths: [electronOnlyInDesktop] }],
      'import-x/no-default-export': 'error',
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': [
        'error',
        {
          basePath: import.meta.dirname,
          zones: [
            {
              target: './renderer',
              from: ['./main', './preload', './mock-server', './e2e'],
              message: 'renderer/ knows the rest only through contract/.',
            },
            {
              target: './mock-server',
              from: ['./contract', './main', './preload', './renderer', './e2e'],
              message: 'mock-server/ is an independent reading of the documents.',
            },
            {
              target: ['./contract', './main/**/!(*.test|*.testing).ts', './preload'],
              from: './mock-server',
              message: 'The app does not know the mock server; only its tests and their helpers do.',
            },
            {
              target: './e2e',
              from: ['./contract', './main', './preload', './renderer', './mock-server'],
              message: 'e2e/ starts the app and the mock server from outside.',
            },
            {
              target: './main',
              from: './renderer',
              message: 'main/ knows the renderer only through contract/.',
            },
            {
              target: './contract',
              from: ['./main', './preload', './renderer'],
              message: 'contract/ is what main, preload and renderer share: it imports none of them.',
            },
            {
              target: './preload',
              from: ['./main', './renderer'],
              message: 'preload/ imports contract/ only.',
            },
            {
              target: './main/{app,cli,desktop}/**/!(certificate).ts',
              from: './main/portal/v2',
              message: 'Only the commands `causeway certificate` know that version 2 has certificates.',
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
    // Components that are rendered without main's state have no texts.
    ignores: ['**/*.test.tsx', '**/*.testing.tsx', 'renderer/ui/no-state.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          'JSXText[value=/\\p{L}{2}/u]',
          `${shown} > JSXExpressionContainer > Literal[value=/\\p{L}{2}/u]`,
          `${shown} > JSXExpressionContainer > TemplateLiteral > TemplateElement[value.raw=/\\p{L}{2}/u]`,
          `${said} > Literal[value=/\\p{L}{2}/u]`,
        ].map((selector) => ({ selector, message: 'Words come from contract/locales, in every language.' })),
      ],
    },
  },
  {
    files: ['{main,preload,renderer,mock-server,scripts,bench}/**/*.test.{ts,tsx}'],
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
    // The rule warns about the React compiler, which is not used here.
    files: ['renderer/ui/virtual-list.tsx'],
    rules: { 'react-hooks/incompatible-library': 'off' },
  },
  {
    files: ['main/index.ts', 'main/desktop/**', 'preload/index.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['main/cli.ts', 'main/cli/**', 'mock-server/cli.ts', 'scripts/**', 'bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // Vitest loads its environments by their default exports.
    files: ['**/*.config.ts', 'scripts/page-environment.ts'],
    rules: { 'import-x/no-default-export': 'off' },
  },
  {
    // TypeScript checks this script, which the mock server serves as it is.
    files: ['mock-server/control/page/client/*.js'],
    rules: { 'no-undef': 'off' },
  },
  {
    // electron-builder loads these files untranspiled.
    files: ['build/**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: { parserOptions: { project: null } },
    rules: { ...tseslint.configs.disableTypeChecked.rules, 'import-x/no-default-export': 'off' },
  },
)
