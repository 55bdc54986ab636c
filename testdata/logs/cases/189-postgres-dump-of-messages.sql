--
-- PostgreSQL database dump
--
SET standard_conforming_strings = on;
CREATE TABLE public.contacts (
    id integer NOT NULL,
    phone text,
    status text,
    created_at timestamp with time zone DEFAULT now()
);
COPY public.contacts (id, phone, status, created_at) FROM stdin;
1	+12025550111	active	2026-11-22 10:50:01+00
2	+12025550111	active	2026-11-22 10:50:02+00
\.


COPY public.messages (id, phone_number_id, phone, status, error_code, created_at, body) FROM stdin;
0	990000000000001	+1 202-555-0111	sent	\N	2026-11-22 10:50:00+00	Hello\nyou
1	990000000000001	+1 202-555-0111	sent	\N	2026-11-22 10:50:01+00	Hello\nyou
2	990000000000001	+1 202-555-0111	sent	\N	2026-11-22 10:50:02+00	Hello\nyou
3	990000000000001	+1 202-555-0111	sent	\N	2026-11-22 10:50:03+00	Hello\nyou
4	990000000000001	+1 202-555-0111	sent	\N	2026-11-22 10:50:04+00	Hello\nyou
5	990000000000001	+1 202-555-0111	sent	\N	2026-11-22 10:50:05+00	Hello\nyou
6	990000000000001	+1 202-555-0111	failed	131056	2026-11-22 10:50:19+00	Hello\nyou
\.

SELECT pg_catalog.setval('public.messages_id_seq', 7, true);
