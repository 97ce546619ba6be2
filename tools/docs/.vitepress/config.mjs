/** The site: every Markdown file of the repository, in English, and the pages to begin with in Russian, too. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { anchorOf, listPages, pageOf, root } from '../pages.mjs'
import { readAsWritten } from './as-written.mjs'
import { sidebarOf } from './sidebar.mjs'
import { words } from './words.mjs'

const pages = listPages()
const require = createRequire(import.meta.url)
const icon = encodeURIComponent(readFileSync(join(root, 'packages/web/src/icon.svg'), 'utf8'))

/** @param {keyof typeof words} language */
function localeOf(language) {
  const { label, title, description, theme, entrances } = words[language]
  const prefix = language === 'en' ? '/' : `/${language}/`
  return {
    label,
    lang: language,
    title,
    description,
    themeConfig: {
      ...theme,
      nav: Object.entries(entrances).map(([page, text]) => ({ text, link: `${prefix}${page}` })),
      sidebar: sidebarOf(language, pages),
    },
  }
}

export default defineConfig({
  srcDir: root,
  outDir: join(root, 'tools/docs/dist'),
  cacheDir: join(root, 'tools/docs/node_modules/.cache'),
  srcExclude: ['tools/bench/notes/**', 'coverage/**'],
  rewrites: pageOf,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${icon}` }]],
  locales: { root: localeOf('en'), ru: localeOf('ru') },
  themeConfig: {
    // only the pages to begin with are in every language
    i18nRouting: false,
    search: { provider: 'local', options: { locales: { ru: words.ru.search } } },
  },
  markdown: {
    anchor: { slugify: anchorOf },
    config: readAsWritten,
  },
  vite: {
    // pages stand outside of this project: what they are made with is here
    resolve: {
      alias: [
        { find: /^vue$/, replacement: require.resolve('vue/dist/vue.runtime.esm-bundler.js') },
        { find: /^vue\/server-renderer$/, replacement: require.resolve('vue/server-renderer') },
      ],
    },
    publicDir: false,
  },
})
