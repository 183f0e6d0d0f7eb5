/** The start of the app. */
import './app/arrival.ts';
import './ui/tokens.css';
import './ui/base.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { App } from './app/app.tsx';
import { keepFocus } from './app/kept-focus.ts';
import { applyTheme } from './app/theme.ts';

applyTheme();
keepFocus();
const place = document.getElementById('app');
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
