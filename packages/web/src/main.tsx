import { render } from 'preact'
import { App } from './app.tsx'
import { createStores, StoresContext } from './stores.ts'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no #app')
render(
  <StoresContext.Provider value={createStores()}>
    <App />
  </StoresContext.Provider>,
  root,
)
