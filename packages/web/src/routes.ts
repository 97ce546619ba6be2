/** Which view a path shows, and the path of a view. */

export const views = [
  'compose',
  'messages',
  'message',
  'people',
  'groups',
  'import',
  'rules',
  'integrations',
  'me',
] as const
export type ViewName = (typeof views)[number]

export interface Route {
  readonly view: ViewName
  /** of the message that is looked at */
  readonly key?: string
}

/** A path nobody knows leads to the first view. */
export function routeOf(path: string): Route {
  const [first = '', second] = path.split('/').slice(1)
  if (first === 'messages' && second && /^[\w.-]+$/.test(second)) return { view: 'message', key: second }
  const view = views.find((name) => name === first && name !== 'message')
  return { view: view ?? 'compose' }
}

export function pathOf({ view, key }: Route): string {
  if (view === 'message') return `/messages/${key}`
  return view === 'compose' ? '/' : `/${view}`
}
