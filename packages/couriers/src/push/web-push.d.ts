declare module 'web-push' {
  const webPush: {
    generateRequestDetails(
      subscription: { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string } },
      payload: string,
      options: {
        readonly vapidDetails: { readonly subject: string; readonly publicKey: string; readonly privateKey: string }
        /** seconds */
        readonly TTL: number
        readonly urgency: 'low' | 'normal' | 'high'
        readonly topic: string
      },
    ): { readonly headers: Readonly<Record<string, string | number>>; readonly body: Uint8Array }
  }
  export default webPush
}
