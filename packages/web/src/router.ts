/** The view that is shown, and the way from one to another. */
import { type Signal, signal } from '@preact/signals'
import { pathOf, type Route, routeOf } from './routes.ts'

export interface Router {
  readonly route: Signal<Route>
  go(route: Route): void
}

/** Follows the address bar for as long as the page lives. */
export function createRouter(): Router {
  const route = signal(routeOf(location.pathname))
  const show = () => {
    route.value = routeOf(location.pathname)
  }
  addEventListener('popstate', show)
  return {
    route,
    go(next) {
      history.pushState(null, '', pathOf(next))
      show()
      scrollTo(0, 0)
    },
  }
}
