/** One at a time: while it runs nothing is begun. */
export function once(act: () => Promise<unknown>, failed: (error: unknown) => void) {
  let running: Promise<unknown> | undefined
  return {
    run() {
      running ??= act()
        .catch(failed)
        .finally(() => {
          running = undefined
        })
    },
    done: async () => running,
  }
}

/** Likewise, and once more when it was asked for meanwhile. */
export function again(act: () => Promise<unknown>, failed: (error: unknown) => void) {
  let isAsked = false
  let running: Promise<void> | undefined
  async function acting(): Promise<void> {
    while (isAsked) {
      isAsked = false
      await act().catch(failed)
    }
    running = undefined
  }
  return {
    run() {
      isAsked = true
      running ??= acting()
    },
    isRunning: () => running !== undefined,
    done: async () => running,
  }
}
