/** The view that is shown, and the way from one to another. */
import { type Signal, signal } from '@preact/signals'
import { pathOf, type Route, routeOf } from './routes.ts'

export interface Router {
  readonly route: Signal<Route>
  go(route: Route): void
  /** Shows other things of the same view; going back leads to where one was before. */
  replace(route: Route): void
}

/** Follows the address bar for as long as the page lives. */
export function createRouter(): Router {
  const current = () => routeOf(location.pathname, location.search)
  const route = signal(current())
  const show = () => {
    route.value = current()
  }
  addEventListener('popstate', show)
  return {
    route,
    go(next) {
      history.pushState(null, '', pathOf(next))
      show()
      scrollTo(0, 0)
    },
    replace(next) {
      history.replaceState(null, '', pathOf(next))
      show()
    },
  }
}
