/** What asks Redis itself. It is given by whoever runs the commands, for they know nothing of Redis; see packages/backup. */
export interface Backups {
  take(url: string, file: string): Promise<{ readonly bytes: number; readonly takenMs: number }>
  restore(
    url: string,
    file: string,
    options: { readonly sendAgain: boolean },
  ): Promise<{ readonly takenMs: number; readonly unknown: Readonly<Record<string, number>> }>
}

/** What a command talks to, and finds its fleet by. */
export interface Terminal {
  /** the answer, a line or more of it */
  readonly out: (text: string) => void
  /** where the answer stands, if that is a terminal */
  readonly screen?: NodeJS.WriteStream | undefined
  /** stdin */
  readonly input?: AsyncIterable<string | Buffer> | undefined
  /** progress and errors */
  readonly err: NodeJS.WriteStream
  readonly env: NodeJS.ProcessEnv
  /** what `npm start` wrote */
  readonly fleetFile: string | URL
  /** loaded when it is needed */
  readonly backups?: () => Promise<Backups>
}
