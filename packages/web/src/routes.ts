/** Which view a path shows, and the path of a view. */

import type { Role } from '@courier-fleet/api-types'

export const views = [
  'compose',
  'messages',
  'message',
  'people',
  'groups',
  'templates',
  'import',
  'rules',
  'service',
  'integrations',
  'me',
] as const
export type ViewName = (typeof views)[number]

/** What operators and administrators alone may open, and load, and from which role on. */
export const operatorViews = { import: 'admin', rules: 'operator', service: 'operator' } as const satisfies Partial<
  Record<ViewName, Role>
>

export interface Route {
  readonly view: ViewName
  /** of the message that is looked at */
  readonly key?: string
  /** what of the view is shown, such as a search: it stays when the page is loaded again or gone back to */
  readonly query?: Readonly<Record<string, string>>
}

/** A path nobody knows leads to the first view. */
export function routeOf(path: string, search = ''): Route {
  const [first = '', second] = path.split('/').slice(1)
  const query = Object.fromEntries(new URLSearchParams(search))
  const shown = Object.keys(query).length > 0 ? { query } : {}
  if (first === 'messages' && second && /^[\w.-]+$/.test(second)) return { view: 'message', key: second, ...shown }
  const view = views.find((name) => name === first && name !== 'message')
  return { view: view ?? 'compose', ...shown }
}

export function pathOf({ view, key, query = {} }: Route): string {
  const search = new URLSearchParams(query).toString()
  return `${pathOfView(view, key)}${search && `?${search}`}`
}

function pathOfView(view: ViewName, key: string | undefined): string {
  if (view === 'message') return `/messages/${key}`
  return view === 'compose' ? '/' : `/${view}`
}
