/** What a command talks to, and finds its fleet by. */
export interface Terminal {
  /** the answer, a line or more of it */
  readonly out: (text: string) => void
  /** progress and errors */
  readonly err: NodeJS.WriteStream
  readonly env: NodeJS.ProcessEnv
  /** what `npm start` wrote */
  readonly fleetFile: string | URL
}
