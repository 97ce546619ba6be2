/**
 * How many calls of one endpoint run at once, in one process. Who finds no place waits a little, and not at all behind calls that have
 * been slow already: an endpoint that hangs holds up nobody but those it is for, and those for a moment only.
 */

const maxAtOnce = 4

export interface Place {
  /** The call goes on, and nobody waits for it any more. */
  slow(): void
  free(): void
}

export interface Places {
  /** @returns undefined where there is none before `signal` is aborted */
  take(endpoint: string, signal: AbortSignal): Promise<Place | undefined>
}

interface Endpoint {
  used: number
  slow: number
  readonly waiting: Set<(place: Place | undefined) => void>
}

export function createPlaces(): Places {
  const endpoints = new Map<string, Endpoint>()

  function placeAt(name: string, endpoint: Endpoint): Place {
    let isSlow = false
    endpoint.used += 1
    return {
      slow() {
        isSlow = true
        endpoint.slow += 1
        // whoever waits for it would wait for as long
        if (endpoint.slow === maxAtOnce) for (const give of [...endpoint.waiting]) give(undefined)
      },
      free() {
        endpoint.used -= 1
        if (isSlow) endpoint.slow -= 1
        const [next] = endpoint.waiting
        if (next) next(placeAt(name, endpoint))
        else if (endpoint.used === 0) endpoints.delete(name)
      },
    }
  }

  return {
    async take(name, signal) {
      const endpoint = endpoints.get(name) ?? { used: 0, slow: 0, waiting: new Set() }
      endpoints.set(name, endpoint)
      if (endpoint.used < maxAtOnce) return placeAt(name, endpoint)
      if (endpoint.slow === maxAtOnce || signal.aborted) return undefined
      return new Promise((resolve) => {
        const end = () => give(undefined)
        const give = (place: Place | undefined) => {
          signal.removeEventListener('abort', end)
          endpoint.waiting.delete(give)
          resolve(place)
        }
        signal.addEventListener('abort', end)
        endpoint.waiting.add(give)
      })
    },
  }
}
